// Character constants.
int a[] = {'a', '\n', '\0', '\\', '\'', '"', '\x7f', '\377', '\x80', '\e', '?', '\?'};
int multi[] = {'ab', 'abcd', '\377a'};
int wide[] = {L'a', L'\x1234', L'ä', u'x', u'\xffff', U'😀'};
_Static_assert('\377' == -1 && '\x80' == -128, "plain char is signed");
_Static_assert('ab' == 'a' * 256 + 'b', "");
_Static_assert(L'\xffffffff' == -1 && u'\xffff' == 65535, "");
_Static_assert(sizeof 'a' == 4 && sizeof L'a' == 4 && sizeof u'a' == 2 && sizeof U'a' == 4, "");
int choose(char c) { switch (c) { case 'x': return 1; case '\n': return 2; case '\xff': return 3; } return 0; }
