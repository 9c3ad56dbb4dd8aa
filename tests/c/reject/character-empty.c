int x = '';
int y = 3;
