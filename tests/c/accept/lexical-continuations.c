// Backslash-newline in the middle of tokens.
int lo\
ng_name = 4\
2;
char text[] = "one \
two";
int sum(int i) { return long_na\
me + i+\
+ + 1; }
