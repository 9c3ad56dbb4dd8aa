// Everything that designates an object.
struct s { int a; int b[3]; struct s *n; } s, t[2];
int *p, **pp, m[2][3];
void lvalues(struct s *q, int i)
{
    s.a = 1; q->a = 2; (*q).b[1] = 3; t[1].b[i] = 4; q->n->n->a = 5; *p = 6; **pp = 7; p[i] = 8; m[i][2] = 9; *(p + i) = 10; *&i = 11; (i) = 12;
    ((s).a) = 13; (&s)->a = 14; *(int *)q = 15; ((char *)q)[3] = 16; (*(&p))[1] = 17; *p++ = 18; (*p)++; ++*p; *(i ? p : *pp) = 19; (i, *p) ; *({ p; }) = 20; ((struct s *)p)->b[i ? 1 : 2] = 21;
}
