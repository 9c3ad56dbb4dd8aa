//! Random programs for the round trip: any shape of instruction, not necessarily well-typed.

use proptest::collection::vec;
use proptest::prelude::*;
use raddle_base::{Id, Span, Table};

use super::{parse_program, print_program};
use crate::inst::*;
use crate::program::*;

fn check_message() -> impl Strategy<Value = CheckMessage> {
    (0..4, name()).prop_map(|(kind, text)| match kind {
        0 => CheckMessage::Wrong(text.into()),
        1 => CheckMessage::Asserts(text.into()),
        2 => CheckMessage::Forbids(text.into()),
        _ => CheckMessage::ForbidsLabel(text.into()),
    })
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_][a-z0-9_.]{0,4}",
        // Words that look like ids, keywords and nothing at all.
        prop::sample::select(vec![
            "",
            "r1",
            "g0",
            "f32",
            "load",
            "b0",
            "a..b",
            "..",
            "é\n\t\"\\",
            "u.c:f",
            "\u{7f}"
        ])
        .prop_map(str::to_owned),
    ]
}

fn span() -> impl Strategy<Value = Span> {
    prop_oneof![Just(Span::NONE), (any::<u32>(), any::<u32>()).prop_map(|(lo, hi)| Span::new(lo, hi))]
}

fn ty() -> impl Strategy<Value = Type> {
    prop_oneof![any::<u8>().prop_map(Type::Int), Just(Type::F32), Just(Type::F64), Just(Type::Ptr)]
}

fn id<I: Id>() -> impl Strategy<Value = I> {
    (0..40usize).prop_map(I::from_index)
}

fn constant() -> impl Strategy<Value = Constant> {
    prop_oneof![
        (any::<u8>(), any::<u128>()).prop_map(|(bits, value)| Constant::Int(bits, value)),
        (1..=128u8, 0..3u128).prop_map(|(bits, back)| {
            Constant::Int(bits, (u128::MAX >> (128 - bits)).saturating_sub(back))
        }),
        any::<u32>().prop_map(Constant::F32),
        any::<u64>().prop_map(Constant::F64),
        Just(Constant::Null),
        (id(), prop_oneof![Just(0), any::<i64>()])
            .prop_map(|(global, offset)| Constant::Global(global, offset)),
        id().prop_map(Constant::Function),
    ]
}

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof![id().prop_map(Operand::Register), constant().prop_map(Operand::Constant)]
}

fn one_of<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    prop::sample::select(all)
}

fn rvalue() -> impl Strategy<Value = Rvalue> {
    let op = || operand();
    prop_oneof![
        op().prop_map(Rvalue::Use),
        (one_of(UnaryOp::ALL), op()).prop_map(|(o, a)| Rvalue::Unary(o, a)),
        (one_of(BinaryOp::ALL), op(), op()).prop_map(|(o, a, b)| Rvalue::Binary(o, a, b)),
        (one_of(CompareOp::ALL), op(), op()).prop_map(|(o, a, b)| Rvalue::Compare(o, a, b)),
        (one_of(CastOp::ALL), op()).prop_map(|(o, a)| Rvalue::Cast(o, a)),
        (op(), op(), op()).prop_map(|(c, a, b)| Rvalue::Select(c, a, b)),
        (op(), op()).prop_map(|(a, b)| Rvalue::PointerAdd(a, b)),
        (op(), op()).prop_map(|(a, b)| Rvalue::PointerDifference(a, b)),
        (one_of(OverflowOp::ALL), op(), op()).prop_map(|(o, a, b)| Rvalue::Overflows(o, a, b)),
        id().prop_map(Rvalue::ThreadLocal),
        Just(Rvalue::CurrentThread),
        op().prop_map(Rvalue::ThreadExists),
        op().prop_map(Rvalue::ObjectSize),
        op().prop_map(Rvalue::HoldsLock),
        op().prop_map(Rvalue::LockIsFree),
        (op(), any::<u32>()).prop_map(|(a, unwritten)| Rvalue::Peek(a, unwritten)),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::Bytes),
        (ty(), one_of(ScalarStyle::ALL)).prop_map(|(ty, style)| Shape::Scalar(ty, style)),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            (inner.clone(), any::<u64>(), any::<u64>()).prop_map(|(element, stride, count)| Shape::Array {
                element: Box::new(element),
                stride,
                count
            }),
            vec((name(), any::<u64>(), inner), 0..3).prop_map(Shape::Record),
        ]
    })
}

fn intrinsic() -> impl Strategy<Value = Intrinsic> {
    prop_oneof![
        Just(Intrinsic::PutByte),
        Just(Intrinsic::PutInteger),
        Just(Intrinsic::PutFloat),
        Just(Intrinsic::PutPointer),
        Just(Intrinsic::FloatByte),
        Just(Intrinsic::Decimal),
        one_of(MathFunction::ALL).prop_map(Intrinsic::Math),
    ]
}

fn memory_inst() -> impl Strategy<Value = InstKind> {
    let access = || (operand(), ty(), one_of(Ordering::ALL));
    prop_oneof![
        (id(), access()).prop_map(|(dest, (address, ty, ordering))| InstKind::Load {
            dest,
            address,
            ty,
            ordering
        }),
        (operand(), access()).prop_map(|(value, (address, ty, ordering))| InstKind::Store {
            address,
            value,
            ty,
            ordering
        }),
        (id(), one_of(RmwOp::ALL), operand(), access()).prop_map(
            |(dest, op, value, (address, ty, ordering))| {
                InstKind::AtomicRmw { dest, op, address, value, ty, ordering }
            }
        ),
        (id(), operand(), operand(), access(), one_of(Ordering::ALL)).prop_map(
            |(dest, expected, desired, (address, ty, ordering), failure)| {
                InstKind::CompareExchange { dest, address, expected, desired, ty, ordering, failure }
            }
        ),
        one_of(Ordering::ALL).prop_map(InstKind::Fence),
        (id(), operand(), any::<u64>(), one_of(AllocStorage::ALL), any::<bool>(), name(), shape()).prop_map(
            |(dest, size, align, storage, zeroed, name, shape)| InstKind::Alloc {
                dest,
                size,
                align,
                storage,
                zeroed,
                name: name.into(),
                shape: Box::new(shape)
            }
        ),
        operand().prop_map(|pointer| InstKind::Free { pointer }),
        prop_oneof![
            operand().prop_map(Lifetime::Object),
            Just(Lifetime::Activation),
            Just(Lifetime::Activations),
            Just(Lifetime::Thread),
            (operand(), any::<u64>()).prop_map(|(pointer, size)| Lifetime::Contents { pointer, size }),
        ]
        .prop_map(InstKind::EndLife),
    ]
}

fn inst_kind() -> impl Strategy<Value = InstKind> {
    prop_oneof![
        4 => memory_inst(),
        3 => (id(), rvalue()).prop_map(|(dest, value)| InstKind::Assign { dest, value }),
        1 => (prop::option::of(id()), operand(), vec(operand(), 0..3))
            .prop_map(|(dest, callee, arguments)| InstKind::Call { dest, callee, arguments }),
        1 => (prop::option::of(id()), intrinsic(), vec(operand(), 0..3))
            .prop_map(|(dest, which, arguments)| InstKind::Intrinsic { dest, which, arguments }),
        3 => prop_oneof![
            (id(), id()).prop_map(|(dest, site)| InstKind::Havoc { dest, site }),
            operand().prop_map(InstKind::Assume),
            operand().prop_map(InstKind::WaitUntil),
            (one_of(Property::ALL), operand(), check_message(), any::<bool>()).prop_map(
                |(property, condition, message, ends)| {
                    let if_unchecked = if ends { IfUnchecked::Ends } else { IfUnchecked::GoesOn };
                    InstKind::Check { property, condition, message, if_unchecked }
                }
            ),
            (id(), operand(), operand())
                .prop_map(|(dest, function, argument)| InstKind::Fork { dest, function, argument }),
            (prop::option::of(id()), operand()).prop_map(|(dest, thread)| InstKind::Join { dest, thread }),
            operand().prop_map(|lock| InstKind::Lock { lock }),
            operand().prop_map(|lock| InstKind::Unlock { lock }),
            Just(InstKind::AtomicBegin),
            Just(InstKind::AtomicEnd),
        ],
    ]
}

fn terminator() -> impl Strategy<Value = Terminator> {
    prop_oneof![
        id().prop_map(Terminator::Jump),
        (operand(), id(), id()).prop_map(|(c, a, b)| Terminator::Branch(c, a, b)),
        (operand(), vec((any::<u128>(), any::<u128>(), id()), 0..3), id())
            .prop_map(|(value, cases, default)| Terminator::Switch { value, cases, default }),
        prop::option::of(operand()).prop_map(Terminator::Return),
        operand().prop_map(Terminator::ExitThread),
        operand().prop_map(Terminator::ExitProcess),
        Just(Terminator::Abort),
        Just(Terminator::Unreachable),
        name().prop_map(|what| Terminator::Unsupported(what.into())),
    ]
}

fn function() -> impl Strategy<Value = Function> {
    let inst = (inst_kind(), span()).prop_map(|(kind, span)| Inst { kind, span });
    let block = (vec(inst, 0..4), terminator(), span()).prop_map(|(insts, terminator, span)| Block {
        insts,
        terminator,
        span,
    });
    let register = (ty(), prop::option::of(name())).prop_map(|(ty, name)| Register { ty, name });
    (
        name(),
        vec(id(), 0..3),
        prop::option::of(ty()),
        vec(register, 0..20),
        vec(block, 0..4),
        any::<bool>(),
        prop::option::of(prop::sample::select(ForeignReads::ALL)),
        span(),
    )
        .prop_map(|(name, parameters, result, registers, blocks, model, foreign_reads, span)| Function {
            name,
            parameters,
            result,
            registers: Table::from_iter(registers),
            blocks: Table::from_iter(blocks),
            model,
            foreign_reads,
            span,
        })
}

fn global() -> impl Strategy<Value = Global> {
    let init = vec((any::<u64>(), constant()).prop_map(|(offset, value)| GlobalInit { offset, value }), 0..3);
    (name(), any::<u64>(), any::<u64>(), init, any::<bool>(), any::<bool>(), span(), shape()).prop_map(
        |(name, size, align, init, read_only, thread_local, span, shape)| Global {
            name,
            size,
            align,
            init,
            read_only,
            thread_local,
            span,
            shape,
        },
    )
}

fn program() -> impl Strategy<Value = Program> {
    let kind = prop::sample::select(&[HavocKind::Input, HavocKind::Uninitialised, HavocKind::Spurious]);
    let havoc = (name(), ty(), any::<bool>(), kind, span())
        .prop_map(|(name, ty, signed, kind, span)| Havoc { name, ty, signed, kind, span });
    let around = (any::<bool>(), outside());
    (any::<u8>(), vec(function(), 0..4), vec(global(), 0..4), vec(havoc, 0..3), id(), around).prop_map(
        |(pointer_bits, functions, globals, havocs, entry, (reuse, outside))| Program {
            address_reuse: if reuse { AddressReuse::Possible } else { AddressReuse::Never },
            pointer_bits,
            functions: Table::from_iter(functions),
            globals: Table::from_iter(globals),
            havocs: Table::from_iter(havocs),
            entry,
            outside,
        },
    )
}

fn outside() -> impl Strategy<Value = Outside> {
    let undefined = (id(), any::<bool>()).prop_map(|(id, pure)| UndefinedFunction { id, pure });
    (vec(undefined, 0..3), vec(id(), 0..3), vec(id(), 0..3), vec(id(), 0..3), vec(id(), 0..3)).prop_map(
        |(functions, objects, entries, hidden, handlers)| Outside {
            functions,
            objects,
            entries,
            hidden,
            handlers,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_give_back_the_program(program in program()) {
        let printed = print_program(&program, None);
        let parsed = parse_program(&printed).map_err(|error| TestCaseError::fail(format!("{error}\n{printed}")))?;
        // Once more, because printing must be a function of the program alone.
        prop_assert_eq!(print_program(&parsed, None), printed);
        prop_assert_eq!(parsed, program);
    }

    #[test]
    fn mangled_text_never_panics(program in program(), cut in any::<prop::sample::Index>(), with in "[ -~]{0,3}") {
        let printed = print_program(&program, None);
        let chars: Vec<char> = printed.chars().collect();
        let at = cut.index(chars.len());
        let mangled: String = chars[..at].iter().copied().chain(with.chars()).chain(chars[at + 1..].iter().copied()).collect();
        let _ = parse_program(&mangled);
    }
}
