// $ in identifiers; long names; universal character names and UTF-8 in names.
int $ = 1, a$b, $$, _$1;
int a_very_long_name_that_goes_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on_and_on = 2;
int caf\u00e9 = 3;
int größe = 4;
int sum(void) { return $ + a$b + $$ + _$1 + café + größe; }
