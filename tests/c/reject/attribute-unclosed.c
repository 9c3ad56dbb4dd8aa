int x __attribute__((unused);
int y;
