// Labels and goto, forwards and backwards, into and out of blocks.
int loops(int n)
{
    int i = 0;
again:
    if (i++ < n)
        goto again;
    {
        goto inside;
    }
    while (0) {
    inside:
        i += 2;
        if (i > 100) goto end;
    }
    for (;;) { if (i) goto end; }
unused:
end: label_of_label:
    return i;
}
void at_end(int x) { if (x) goto done; x = 1; done:; }
void declaration_after_label(int x) { if (x) goto next; next:; int y = x; y++; }
