struct s;
struct s a[3];
void v[2];
int m[][];
