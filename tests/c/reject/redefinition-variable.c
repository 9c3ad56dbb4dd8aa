int x = 1;
int x = 2;
static int y = 1;
static int y = 3;
int z;
static int z;
