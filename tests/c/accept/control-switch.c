// switch with ranges, nested cases, fall-through, Duff's device, odd types.
enum color { RED, GREEN = 5, BLUE };
int classify(int c, enum color color, unsigned char byte, long long wide)
{
    switch (c) {
    case 'a' ... 'z': return 1;
    case 'A' ... 'Z':
    case '_': return 2;
    case -5 ... -1: break;
    default: c++;
    }
    switch (color) { case RED: return 3; case GREEN: case BLUE: break; }
    switch (byte) case 7: return 4;
    switch (wide) { case 1LL << 40: return 5; case 0x7fffffffffffffff: return 6; }
    switch (c) { int hidden; case 1: hidden = 3; return hidden; }
    switch (c + 1) {}
    return 0;
}
void duff(char *to, const char *from, int count)
{
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
            } while (--n > 0);
    }
}
