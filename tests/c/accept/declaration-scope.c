// Shadowing: variables, typedef names, tags and enumeration constants in inner scopes.
typedef int T;
struct s { int outer; };
enum { K = 1 };
int x = 1;
T shadow(T y)
{
    int x = K;
    {
        T T = 3;
        struct s { char inner; } v = {T};
        enum { K = 7 };
        extern int x;
        y += T + K + v.inner + x;
        {
            double K = 1.5;
            y += K;
            typedef double T;
            T z = 2;
            y += z;
        }
    }
    struct s o = {x};
    return o.outer + y + K;
}
int parameter_hides(int T, int K) { return T * K; }
T typedef_in_for(void) { for (T T = 0; T < 3; T++) ; return (T)2.5; }
int label_named_like_a_type(int n) { T: if (n--) goto T; return n; }
struct T { T T; } T_;
int member(struct T *p) { return p->T; }
