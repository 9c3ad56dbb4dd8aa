#include <stdio.h>
int main(int argc, char **argv, char **envp) { printf("%d %d %d\n", argc, argv[0] != 0, argv[argc] == 0); argv[0][0] = 'x'; return argv[0][0] == 'x'; }
