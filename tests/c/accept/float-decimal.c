// Decimal floating types and constants.
_Decimal32 a = 1.5df;
_Decimal64 b = 2.5DD;
_Decimal128 c = 3.5dl;
_Decimal64 sum(_Decimal32 x, _Decimal64 y) { return x + y * b - 1; }
_Static_assert(sizeof(_Decimal32) == 4 && sizeof(_Decimal64) == 8 && sizeof(_Decimal128) == 16, "");
