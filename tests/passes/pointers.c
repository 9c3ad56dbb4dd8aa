//@ pipeline: pointers
int one(int n) { return n; }
int two(int n) { return n + 1; }
long other(long n) { return n; }
int (*chosen)(int) = one;
long (*third)(long) = other;
int main(int count, char **arguments)
{
    if (count > 1)
        chosen = two;
    return chosen(3);
}
