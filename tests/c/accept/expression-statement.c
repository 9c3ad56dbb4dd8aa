// Statement expressions, nested, with declarations, as void, in macros.
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
int use(int x, int y)
{
    int z = max(x, max(y, 3));
    z += ({ int t = z; t * 2; });
    ({ x++; y++; });
    ({ });
    ({ ; });
    ({ if (x) y = 1; else y = 2; });
    struct s { int a; } s = ({ struct s t = {3}; t; });
    if (({ x; })) return ({ goto out; 1; });
    z += ({ __extension__ ({ int k; k = 4; k; }) + 1; }) ? 1 : 0;
out:
    return z + s.a + sizeof(({ long l = 1; l; }));
}
