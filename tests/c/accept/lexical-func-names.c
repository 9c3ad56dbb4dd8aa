// __func__ and its kin.
const char *name(void) { return __func__; }
int lengths(void) { return sizeof __func__ + sizeof(__FUNCTION__) + __PRETTY_FUNCTION__[0]; }
int outer(void) { int inner(void) { return __func__[0]; } const char (*p)[6] = &__func__; return inner() + (*p)[1]; }
