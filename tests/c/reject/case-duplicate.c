enum { A = 3 };
int f(int x)
{
    switch (x) {
    case 1: return 1;
    case 2 ... 5: return 2;
    case 1: return 3;
    case A: return 4;
    default: return 5;
    default: return 6;
    }
}
