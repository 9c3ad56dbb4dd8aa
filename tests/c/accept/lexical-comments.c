/* A comment /* does not nest */ // line comment with /* inside
int a; // trailing \
   continued by a backslash
int /* inside */ b /**/ = /***/ 3 /* a // b */ ;
int c = 4 //* not a block
    / 2;
char d[] = "/* no comment */", e[] = "// nor here", f = '"', g[] = "'";
int h(void) { return a/b/*
several lines
*/+1+1; }
