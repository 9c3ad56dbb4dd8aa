#error this configuration is not supported
int x;
