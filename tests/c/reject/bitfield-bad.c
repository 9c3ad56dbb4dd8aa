struct s {
    int too_wide : 33;
    int negative : -1;
    int zero : 0;
    float real : 3;
    int *pointer : 4;
    int variable : n;
    struct { int a; } record : 2;
};
