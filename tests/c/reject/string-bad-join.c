int wide[] = L"wide" u"sixteen";
char bad[] = "\xyz";
char empty_hex[] = "\x";
char ucn[] = "\u12";
