// model: lp64
// String literals: escapes, joining, prefixes, embedded zeros.
char a[] = "\a\b\f\n\r\t\v\\\'\"\?\e", b[] = "\0\01\012\377", c[] = "\x41\xff" "B", d[] = "joined " "in " /* here */ "pieces";
char e[] = "zero\0inside", f[] = "\1234", g[] = "??/ no trigraph in gnu17", h[] = "\u00e4\U0001F600", i[] = "ä€😀", j[] = "";
int wide[] = L"wide \x1234 ä" L" more" " plain"; unsigned short sixteen[] = u"ä😀\xd800"; unsigned thirty_two[] = U"ä😀"; char eight[] = u8"ä😀";
_Static_assert(sizeof a == 13 && sizeof b == 5 && sizeof c == 4 && sizeof e == 12 && sizeof f == 3 && sizeof h == 7, "");
_Static_assert(sizeof sixteen == 2 * 5 && sizeof thirty_two == 4 * 3 && sizeof eight == 7, "");
const char *long_one = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n";
int subscripts(void) { char first = "abc"[0], second = *"xyz", third = 1["pq"]; return first + second + third; }
