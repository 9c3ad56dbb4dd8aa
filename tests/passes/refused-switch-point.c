//@ pipeline: simplify,threads,statics,labels,lazy(2,switches=3.main:1)
int main(void) { return 0; }
