int x = 3;
/* this comment never ends
int y = 4;
