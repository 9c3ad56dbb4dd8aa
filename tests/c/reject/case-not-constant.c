int f(int x, int y)
{
    switch (x) {
    case y: return 1;
    case 1.5: return 2;
    case "x": return 3;
    }
    return 0;
}
