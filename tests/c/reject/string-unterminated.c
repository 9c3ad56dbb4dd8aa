char *text = "never closed;
int x = 3;
