//! Normalised initialisers, held against the bytes gcc puts into the objects, for both data models.

mod common;

use common::{gcc, initializers};
use raddle_cfront::layout::DataModel;

/// Of each data model.
const SEEDS: std::ops::Range<u64> = 0..16;
const OBJECTS: usize = 60;

fn sample(test: &str, model: DataModel) {
    if gcc::available(test) {
        for seed in SEEDS {
            initializers::compare(model, seed, OBJECTS).unwrap_or_else(|difference| panic!("{difference}"));
        }
    }
}

#[test]
fn random_initializers_give_the_bytes_of_gcc_in_lp64() {
    sample("random_initializers_give_the_bytes_of_gcc_in_lp64", DataModel::Lp64);
}

#[test]
fn random_initializers_give_the_bytes_of_gcc_in_ilp32() {
    sample("random_initializers_give_the_bytes_of_gcc_in_ilp32", DataModel::Ilp32);
}

/// Each is a text of its own; gcc must reject those we reject, and no others.
const CASES: &[&str] = &[
    "struct s{int n; int a[];} x = {1,2,3};",
    "struct s{int n; int a[];} x = {1,{2,3}};",
    "struct s{int n; int a[];} x = {.a={2},1};",
    "struct s{int n; int a[];} x = {.a[3]=2};",
    "struct s{int n; char a[];} x = {1,\"abc\"};",
    "void f(void){struct s{int n; int a[];} x = {1,{2,3}};}",
    "void f(void){struct s{int n; int a[];} x = {1,{}};}",
    "void f(void){struct s{int n; int a[];} x = {1};}",
    "void f(void){static struct s{int n; int a[];} x = {1,{2}};}",
    "struct s{int n; int a[];}; struct s x[2] = {{1,{2}}};",
    "struct s{int n; int a[];}; struct t {int q; struct s s;} x = {1,{1,{2}}};",
    "struct s{int n; int a[];}; struct t {int q; struct s s;} x = {1,1,2};",
    "struct s{int n; int a[0];} x = {1,{2}};",
    "int x = {};",
    "int x = {1,2};",
    "int x = {{1}};",
    "int x = {.a=1};",
    "int x = {[0]=1};",
    "int x = {1,.a=2};",
    "int x = {1,{}};",
    "int a[] = {};",
    "int a[2] = {1,2,{}};",
    "int a[2] = {1,2,{3}};",
    "struct {int x;} a = {1,{2}};",
    "struct {} a = {{}};",
    "struct {} a = {};",
    "int n; void f(void){int a[n]={1};}",
    "int n; void f(void){int a[n]={};}",
    "struct s x = {1};",
    "extern struct s x; struct s *p = {&x};",
    "long a[]=\"abc\";",
    "int a[]=\"abc\";",
    "char a[]=L\"abc\";",
    "unsigned short a[]=u\"abc\";",
    "unsigned a[]=U\"ab\";",
    "char a[2]=\"abc\";",
    "char a[3]=\"abc\";",
    "char a[]={\"abc\"};",
    "char a[]={\"abc\",1};",
    "char a[]={(\"abc\")};",
    "char a[][4]={\"abc\",\"d\"};",
    "short a[]=u\"x\";",
    "signed char a[]=u8\"x\";",
    "_Bool a[]=\"a\";",
    "char *a[]={\"abc\",\"d\"};",
    "struct s {int x;}; struct s a = 5;",
    "int a[2]=5;",
    "int a[2]; int b[2]=a;",
    "int a[]=(int[]){1,2};",
    "int a[3]=(int[]){1,2};",
    "void f(void){int a[]=(int[]){1,2};}",
    "void f(void){static int a[]=(int[]){1,2};}",
    "struct s {int x;}; struct s a=(struct s){1}; struct {int p; struct s q;} b={1,(struct s){3}};",
    "struct {int a[2];} g={(int[2]){1,2}};",
    "int g(void); void f(void){static int a=(int){g()};}",
    "int g(void); void f(void){int a[2]={g(),1};}",
    "int g(void); void f(void){static int a[2]={g(),1};}",
    "int g(void); int a[2]={1,2,g()};",
    "int x; int *p[]={&x,&x+1,0};",
    "int x; int y=x;",
    "typedef int v4 __attribute__((vector_size(16))); v4 a={1,2,3,4};",
    "typedef int v4 __attribute__((vector_size(16))); v4 a={1,2,3,4,5};",
    "typedef int v4 __attribute__((vector_size(16))); v4 a={[1]=2};",
    "typedef int v4 __attribute__((vector_size(16))); v4 a={};",
    "typedef int v4 __attribute__((vector_size(16))); v4 a=1;",
    "typedef int v4 __attribute__((vector_size(16))); v4 a={{1},2,3,4};",
    "typedef int v4 __attribute__((vector_size(16))); v4 a=(v4){1,2}; v4 b[2]={1,2,3,4,5};",
    "int a[3]={[-1]=1};",
    "int a[3]={[3]=1};",
    "int a[3]={[1 ... 3]=1};",
    "int a[3]={[2 ... 1]=0};",
    "int a[]={[1.0]=2};",
    "int n; int a[]={[n]=1};",
    "struct {int x;} a={.y=1};",
    "struct {int x;} a={[1]=1};",
    "int a[2]={.x=1};",
    "int a[2]={[0][1]=2};",
    "struct {int x; int y;} a={.x 1};",
    "int a[]={[2] 3,4};",
    "int a[2][2]={[1][1] 3};",
    "struct{int x;} a={x:1};",
    "int a[]={,};",
    "int a[]={1,,2};",
    "int a[]={1,};",
    "int a[]={1 2};",
    "int a[]={1,2;",
    "struct {int x} a = {1}; int b = ;",
    "void f(void){__builtin_va_list a={};}",
    "void f(void){__builtin_va_list a={0};}",
    "void g(void)={1};",
    "void *p = {0};",
    "_Complex double z={1,2};",
    "char *s={\"abc\"};",
    "char *s={\"a\",\"b\"};",
    "void v = 1;",
    "extern int q = 3;",
    "struct {union {int a; struct {short b, c;};}; int d;} x = {.c=1, 2, .a=3};",
    "enum e {A, B}; enum e x[] = {[B]=A, [A]=B};",
    "typedef int T[]; T a={1,2}, b={1}; int c[sizeof(a)==8 && sizeof(b)==4 ? 1 : -1];",
    "const char a[][3]={\"ab\",{'c'}}; int c[sizeof(a)==6 ? 1 : -1];",
    "int a[]={[5]=1,[2]=3,4}; int c[sizeof(a)==24 ? 1 : -1];",
    "int a[]={[0x7fffffffffffffff]=1};",
    "int a[1000000000]={[999999999]=1};",
    "struct s {int a,b;} *p = &(struct s){1,2};",
    "int *p = (int[]){1,2,3}; int *q = &(int){5};",
    "void f(int n){struct {int a; int b[n];} x = {1};}",
];

#[test]
fn gcc_agrees_on_what_is_wrong_with_an_initializer() {
    if !gcc::available("gcc_agrees_on_what_is_wrong_with_an_initializer") {
        return;
    }
    let mut differences = String::new();
    for case in CASES {
        let (_, ours) = common::read(DataModel::Lp64, case);
        let theirs = gcc::compile(DataModel::Lp64, case).err();
        if ours.is_empty() != theirs.is_none() {
            differences.push_str(&format!("{case}\n    ours: {ours:?}\n    gcc's: {theirs:?}\n"));
        }
    }
    assert!(differences.is_empty(), "{differences}");
}
