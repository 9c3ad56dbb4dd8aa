_Complex double z;
int f(void) { return z < z || z % 2 || __real__ "x"; }
