// Arrays of pointers, pointers to arrays, arrays of arrays, functions in between.
int *array_of_pointers[3];
int (*pointer_to_array)[3];
int matrix[2][3][4];
int (*array_of_functions[2])(int, char *);
int (*(*pointer_to_array_of_functions)[2])(void);
char *(*(**deep[2])(int (*)[5], char))(double);
int (*function_returning_array_pointer(int which))[3];

static int rows[4][3];
int (*function_returning_array_pointer(int which))[3] { return &rows[which]; }

int total(int values[3][4], int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 4; j++)
            sum += values[i][j] + *(*(values + i) + j) + j[values[i]];
    return sum + (*pointer_to_array)[1] + *array_of_pointers[0] + matrix[1][2][3];
}
