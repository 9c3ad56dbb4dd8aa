// Many levels, but not too many.
int deep = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
int ****************************************stars;
int blocks(int x) { {{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{ x++; }}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}} return x; }
int array[1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1] = {{{{{{{{{{{{{{{{7}}}}}}}}}}}}}}}};
int chain(int a) { return a + a - a + a - a + a - a + a - a + a - a + a - a + a - a + a - a + a - a + a - a + a - a + a - a + a - a + a; }
int ternary(int a) { return a == 1 ? 1 : a == 2 ? 2 : a == 3 ? 3 : a == 4 ? 4 : a == 5 ? 5 : a == 6 ? 6 : a == 7 ? 7 : 8; }
int elses(int a) { if (a == 1) return 1; else if (a == 2) return 2; else if (a == 3) return 3; else if (a == 4) return 4; else return 5; }
