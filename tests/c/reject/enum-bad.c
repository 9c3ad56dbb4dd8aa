enum e { A, B, A };
enum e { C };
enum f { D = 1.5, E = x };
enum g { };
enum { F = 1 G };
struct e { int a; };
