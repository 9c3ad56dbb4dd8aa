//! What the lowered program looks like where running it would not show it: names, shapes, sizes, refusals.
//!
//! What programs do is compared with gcc by `cargo xtask differential`.

#![expect(clippy::wildcard_enum_match_arm, reason = "the tests look for single instructions")]

use raddle_base::{Severity, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_ir::passes::unknown_calls::depends_on;
use raddle_ir::{Constant, Function, Inst, InstKind, Operand, Ordering, Program, Property, Terminator, Type};
use raddle_lower::{ArithmeticChecks, LowerOptions, Lowered, Refused, SignedOverflow, lower, models};

fn lowered_as(units: &[(&str, &str)], model: DataModel, options: LowerOptions) -> Lowered {
    let mut sources = SourceMap::new();
    let (name, text) = models();
    let texts = units.iter().map(|(name, text)| (*name, (*text).to_owned())).chain([(name, text)]);
    let files: Vec<_> =
        texts.map(|(name, text)| sources.add(name, text.into_bytes()).expect("the text is small")).collect();
    let parsed = parse_program(&mut sources, &files, model);
    let errors: Vec<_> =
        parsed.diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    lower(&parsed.ast, options, 1)
}

fn lowered(text: &str) -> Lowered {
    lowered_as(&[("test.c", text)], DataModel::Lp64, LowerOptions::default())
}

fn program(text: &str) -> Program {
    let Lowered { program, diagnostics } = lowered(text);
    program.unwrap_or_else(|| panic!("{:?} in {text}", diagnostics.iter().collect::<Vec<_>>()))
}

fn errors(lowered: &Lowered) -> Vec<String> {
    let errors = lowered.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.message.clone()).collect()
}

fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    program.functions.values().find(|function| function.name == name).unwrap_or_else(|| panic!("no `{name}`"))
}

fn insts(function: &Function) -> impl Iterator<Item = &Inst> {
    function.blocks.values().flat_map(|block| &block.insts)
}

fn count(function: &Function, wanted: impl Fn(&InstKind) -> bool) -> usize {
    insts(function).filter(|inst| wanted(&inst.kind)).count()
}

fn unsupported(program: &Program) -> Vec<String> {
    let own = program.functions.values().filter(|function| !function.model);
    let ends = own.flat_map(|function| function.blocks.values().map(|block| &block.terminator));
    ends.filter_map(|end| if let Terminator::Unsupported(what) = end { Some(what.to_string()) } else { None })
        .collect()
}

#[test]
fn names_are_unique() {
    let units = [
        ("dir/a.c", "static int f(void) { static int n; return n++; } static int v; int g(void) { return f() + v; }"),
        (
            "dir/b.c",
            "static int f(void) { static int n; { static int n; n++; } return n; } static int v = 2; int g(void);
             int *p = (int[]){1}, *q = (int[]){2};
             int main(void) { int f2(int x) { return x; } return f() + g() + v + f2(*p + *q); }",
        ),
    ];
    let lowered = lowered_as(&units, DataModel::Lp64, LowerOptions::default());
    assert_eq!(errors(&lowered), Vec::<String>::new());
    let program = lowered.program.expect("there are no errors");
    for name in ["a.c:f", "b.c:f", "g", "main", "main.f2"] {
        function(&program, name);
    }
    let globals: Vec<&str> = program.globals.values().map(|global| global.name.as_str()).collect();
    for name in ["a.c:v", "b.c:v", "f.n", "f.n.2", "f.n.3", "compound literal", "compound literal.2"] {
        assert!(globals.contains(&name), "{name} in {globals:?}");
    }
}

#[test]
fn a_weak_definition_gives_way() {
    let units = [
        ("a.c", "__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }"),
        ("b.c", "int f(void) { return 2; }"),
    ];
    let program = lowered_as(&units, DataModel::Lp64, LowerOptions::default()).program.expect("it links");
    let f = function(&program, "f");
    let returned = f.blocks.values().map(|block| &block.terminator).collect::<Vec<_>>();
    assert_eq!(returned, [&Terminator::Return(Some(Operand::Constant(Constant::Int(32, 2))))]);
}

#[test]
fn threads_start_in_functions_of_one_shape() {
    let program = program(
        "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);
         void none(void) {} int number(int x) { return x; } void *plain(void *p) { return p; } void *old() { return 0; }
         int main(void) { unsigned long t;
             pthread_create(&t, 0, (void *)none, 0); pthread_create(&t, 0, (void *)number, 0);
             pthread_create(&t, 0, plain, 0); pthread_create(&t, 0, old, 0); return 0; }",
    );
    let mut started = Vec::new();
    for inst in insts(function(&program, "main")) {
        if let InstKind::Call { arguments, .. } = &inst.kind
            && let Some(Operand::Constant(Constant::Function(start))) = arguments.get(2)
        {
            let start = &program.functions[*start];
            assert!(program.fits_call(start, &[Type::Ptr], Some(Type::Ptr)), "{}", start.name);
            started.push(start.name.as_str());
        }
    }
    assert_eq!(started, ["start of none", "start of number", "plain", "start of old"]);
}

#[test]
fn large_objects_take_few_instructions() {
    let program = program(
        "struct big { char c[100000]; } a, b;
         int zeros(void) { int v[100000] = {0}; return v[5]; }
         int text(void) { char v[100000] = \"abc\"; return v[5]; }
         int range(void) { int v[100000] = {[3 ... 99000] = 7}; return v[5]; }
         int literal(void) { return ((struct big){{1}}).c[0]; }
         void copy(void) { a = b; }
         int main(void) { copy(); return zeros() + text() + range() + literal(); }",
    );
    for name in ["zeros", "text", "range", "literal", "copy"] {
        let all = insts(function(&program, name)).count();
        assert!(all < 40, "{name} has {all} instructions");
    }
}

#[test]
fn a_bit_field_is_accessed_without_its_neighbours() {
    let program = program(
        "struct s { char before; int f : 8; int g : 8; char after; } x;
         int main(void) { x.g = 5; return 0; }",
    );
    let main = function(&program, "main");
    let widths: Vec<Type> = insts(main)
        .filter_map(|inst| match inst.kind {
            InstKind::Load { ty, .. } | InstKind::Store { ty, .. } => Some(ty),
            _ => None,
        })
        .collect();
    // The two bit-fields are one memory location; the characters beside them are not touched.
    assert_eq!(widths, [Type::Int(16), Type::Int(16)]);
}

#[test]
fn unbalanced_atomic_blocks_are_refused_where_they_are_reached() {
    let text = "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int x;
                int main(void) { if (x) __VERIFIER_atomic_begin(); x = 1; __VERIFIER_atomic_end(); return 0; }";
    assert_eq!(errors(&lowered(text)), Vec::<String>::new());
    let found = unsupported(&program(text));
    assert!(found.iter().any(|what| what.contains("atomic")), "{found:?}");
}

#[test]
fn what_is_refused_is_named_where_it_is_reached() {
    let cases = [
        ("long double x; int main(void) { x = x * 2; return 0; }", Refused::LongDouble),
        ("_Complex double x; int main(void) { x = x * 2; return 0; }", Refused::Complex),
        (
            "typedef int v __attribute__((vector_size(16))); v x; int main(void) { x = x + x; return 0; }",
            Refused::Vector,
        ),
        ("_Float128 x; int main(void) { x = x + 1; return 0; }", Refused::Float128),
        ("int main(void) { int x; __asm__(\"movl $1, %0\" : \"=r\"(x)); return x; }", Refused::Assembly),
        (
            "int again(void) __attribute__((returns_twice)); int main(void) { return again(); }",
            Refused::ReturnsTwice,
        ),
        ("int swapcontext(void *, void *); int main(void) { return swapcontext(0, 0); }", Refused::Context),
        ("int main(void) { int n = 3; int f(void) { return n; } return f(); }", Refused::NestedCapture),
        (
            "int main(int c, char **v) { struct { int a[c]; int b; } s; s.b = 1; return s.b; }",
            Refused::VariableRecord,
        ),
        ("int main(void) { void *p = 0; l: goto *p; goto l; }", Refused::ForeignLabel),
        (
            "struct s { int a[9]; } x, y; int main(void) { __atomic_store(&x, &y, 5); return 0; }",
            Refused::LargeAtomic,
        ),
        ("__int128 x; int main(void) { return __builtin_add_overflow(x, x, &x); }", Refused::WideOverflow),
    ];
    for (text, refused) in cases {
        let found = unsupported(&program(text));
        assert!(found.contains(&refused.text()), "{refused:?}: {found:?} in {text}");
    }
    let asm = errors(&lowered("__asm__(\"nop\"); int main(void) { return 0; }"));
    assert!(asm.iter().any(|message| message.contains("file scope")), "{asm:?}");
}

#[test]
fn what_is_not_reached_is_not_refused() {
    let text =
        "long double x = 1.5L, y; _Complex float c = 2.0f; struct s { long double d; int i; } s = {2.5, 3};
                int main(void) { y = 0; struct s t = {0, 4}; return s.i + t.i + sizeof x + sizeof c; }";
    // The assignment is; the objects, their initialisers and sizes are not.
    assert_eq!(unsupported(&program(text)).len(), 1);
    assert_eq!(
        unsupported(&program("int main(void) { __asm__ volatile(\"\" ::: \"memory\"); return 0; }")).len(),
        0
    );
}

#[test]
fn sizes_are_those_of_the_data_model() {
    let text = "struct s { char c; long l; double d; void *p; } x; int main(void) { return sizeof x; }";
    for (model, pointer_bits, size) in [(DataModel::Lp64, 64, 32), (DataModel::Ilp32, 32, 20)] {
        let program =
            lowered_as(&[("a.c", text)], model, LowerOptions::default()).program.expect("it lowers");
        assert_eq!(program.pointer_bits, pointer_bits);
        let x = program.globals.values().find(|global| global.name == "x").expect("there is an x");
        assert_eq!(x.size, size);
        let returned = function(&program, "main").blocks.values().map(|block| &block.terminator);
        let expected = Terminator::Return(Some(Operand::Constant(Constant::Int(32, size.into()))));
        assert_eq!(returned.collect::<Vec<_>>(), [&expected]);
    }
}

#[test]
fn overflow_is_checked_when_asked() {
    let text =
        "int main(int a, char **v) { unsigned u = a; u += 5; return a + 1 - a * 2 / (a << 3) + -a + u; }";
    let checks = |options: LowerOptions| {
        let lowered = lowered_as(&[("a.c", text)], DataModel::Lp64, options).program.expect("it lowers");
        [Property::Overflow, Property::Arithmetic].map(|wanted| {
            let is_check =
                |kind: &InstKind| matches!(kind, InstKind::Check { property, .. } if *property == wanted);
            count(function(&lowered, "main"), is_check)
        })
    };
    let asked = |properties: &[Property]| LowerOptions {
        arithmetic: ArithmeticChecks::of(properties),
        ..LowerOptions::default()
    };
    assert_eq!(checks(asked(&[])), [0, 0]);
    // Of overflow: two of `+`, `-`, `*`, one for `/`, one for `<<`, and the negation; the rest is unsigned. A divisor of zero and a shift
    // that is too wide are the others.
    assert_eq!(checks(asked(Property::COMMON)), [7, 2]);
    assert_eq!(checks(asked(&[Property::Overflow])), [7, 0]);
    assert_eq!(checks(asked(&[Property::Arithmetic])), [0, 2]);
    // Those end in the operation itself.
    let options = LowerOptions { signed_overflow: SignedOverflow::Undefined, ..LowerOptions::default() };
    assert_eq!(checks(options), [7, 0]);
}

#[test]
fn an_object_that_nobody_defines_holds_anything() {
    let lowered = lowered("extern int where; extern _Bool flag; int main(void) { return where + flag; }");
    assert_eq!(errors(&lowered), Vec::<String>::new());
    assert_eq!(lowered.diagnostics.iter().count(), 2, "each is told");
    let program = lowered.program.expect("it lowers");
    let entry = &program.functions[program.entry];
    assert_eq!(count(entry, |kind| matches!(kind, InstKind::Havoc { .. })), 2);
    let unknown = errors(&self::lowered("extern int list[]; int main(void) { return list[1]; }"));
    assert_eq!(unknown.len(), 1, "{unknown:?}");
}

#[test]
fn a_variable_that_is_assigned_first_is_no_input() {
    let program =
        program("int main(int c, char **v) { int i, s; for (i = 0, s = 0; i < c; i++) s += i; return s; }");
    assert_eq!(count(function(&program, "main"), |kind| matches!(kind, InstKind::Havoc { .. })), 0);
    let program = self::program("int main(int c, char **v) { int x; if (c) x = 1; return x; }");
    assert_eq!(count(function(&program, "main"), |kind| matches!(kind, InstKind::Havoc { .. })), 1);
}

#[test]
fn a_function_without_body_takes_what_it_is_given() {
    let program = program(
        "int obtain(const char *, int, ...); int unknown(); _Noreturn void stop(int);
         int main(void) { int x; obtain(\"f\", 1, 0644); unknown(1, 2.5, &x); obtain(\"f\", 0); stop(3); }",
    );
    let undefined = program.outside.functions.iter().map(|found| &program.functions[found.id].name);
    let stops: Vec<String> = undefined.map(|name| depends_on(name)).collect();
    assert_eq!(stops.len(), 3);
    assert_eq!(unsupported(&program), stops);
    assert_eq!(function(&program, "obtain").parameters.len(), 3);
    assert_eq!(function(&program, "unknown").parameters.len(), 1);
    let ends: Vec<_> = function(&program, "main").blocks.values().map(|block| &block.terminator).collect();
    assert!(ends.iter().any(|end| matches!(end, Terminator::ExitProcess(_))), "{ends:?}");
}

#[test]
fn memory_orders_fit_their_operations() {
    let program = program(
        "int x; int main(void) { __atomic_store_n(&x, 1, 2); return __atomic_load_n(&x, 3)
             + __atomic_load_n(&x, 1); }",
    );
    let orders: Vec<Ordering> = insts(function(&program, "main"))
        .filter_map(|inst| match inst.kind {
            InstKind::Load { ordering, .. } | InstKind::Store { ordering, .. } => Some(ordering),
            _ => None,
        })
        .collect();
    let strongest = Ordering::SequentiallyConsistent;
    assert_eq!(orders, [strongest, strongest, Ordering::Acquire]);
}

#[test]
fn constants_are_read_only() {
    let program = program(
        "const int a = 1; const int b[2] = {1, 2}; const char *c = \"x\"; char d[] = \"y\"; struct { const int e; } f = {3};
         int main(void) { return a + b[1] + *c + d[0] + f.e; }",
    );
    let read_only = |name: &str| {
        program.globals.values().find(|global| global.name == name).map(|global| global.read_only)
    };
    for (name, expected) in
        [("a", true), ("b", true), ("c", false), ("string 0", true), ("d", false), ("f", false)]
    {
        assert_eq!(read_only(name), Some(expected), "{name}");
    }
}

#[test]
fn deep_nesting_is_no_trouble() {
    let text =
        format!("int main(void) {{ int x = 1; return {}x{}; }}", "(x + ".repeat(1_900), ")".repeat(1_900));
    assert_eq!(unsupported(&program(&text)), Vec::<String>::new());
}

#[test]
fn a_program_without_main_is_an_error() {
    assert_eq!(errors(&lowered("int f(void) { return 1; }")).len(), 1);
}
