// main with all its parameters, and a prototype for it.
int main(int argc, char *argv[], char **envp);
int main(int argc, char **argv, char *envp[]) { return argc > 1 && argv[1] && envp[0] ? main(1, argv, envp) : 0; }
