struct s { int a; };
union s *p;
enum s { X };
enum e { Y };
struct e *q;
