//! The programs under `tests/cases`: what each says of itself in its header.
//!
//! ```text
//! //@ property: assertion, deadlock   each is asked for
//! //@ verdict: bug                    or safe, or unknown (it comes upon something that is not supported)
//! //@ verdict-tso: bug                the same under a weaker memory model; so for pso
//! //@ bounds: unwind=2                for engines that need them
//! //@ contexts: 4                     the fewest context switches with which its bug shows, under sc
//! //@ models: lp64                    the data models it means anything in (default: both)
//! //@ signed-overflow: undefined      executions end at a signed overflow (default: wraps)
//! //@ address-reuse: never            no address is given out twice (default: possible)
//!   … //~ BUG assertion thread=t1     where a property may break
//!   … //~ UNDEFINED memory-safety     where executions end by undefined behaviour that is not asked for
//! ```
//!
//! Other entries concern how the VM explores a case, and are read over here: `crates/cli/tests/cases.rs`
//! checks them.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use raddle_base::on_large_stack;
use raddle_cfront::layout::DataModel;
use raddle_engines::{Bounds, MemoryModel};
use raddle_ir::{AddressReuse, Property};
use raddle_lower::{ArithmeticChecks, Environment, LowerOptions, SignedOverflow};

use crate::build::DATA_MODELS;
use crate::truth::{Truth, Truths};

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Where it lies.
    pub path: PathBuf,
    /// `topic/name`
    pub name: String,
    /// What is asked for, in order.
    pub properties: Vec<Property>,
    /// Those that some execution breaks under some memory model.
    broken: Vec<Property>,
    /// The verdicts in its header, from the strongest memory model on.
    verdicts: Vec<(MemoryModel, String)>,
    /// How far to look.
    pub bounds: Bounds,
    /// The fewest context switches with which its bug shows, where the header says.
    pub contexts: Option<u32>,
    /// The data models it means anything in.
    pub models: Vec<DataModel>,
    /// What signed overflow means.
    signed_overflow: SignedOverflow,
    address_reuse: AddressReuse,
    /// Whether executions end by undefined behaviour that is not asked for.
    pub ends_undefined: bool,
}

impl Case {
    /// Whether some execution breaks what is asked for, under the strongest memory model that the header names.
    #[must_use]
    pub fn is_broken(&self) -> bool {
        self.verdicts.first().is_some_and(|(_, verdict)| verdict == "bug")
    }

    /// What is true of it under a memory model, as enumeration would find it. What is broken under a stronger model is broken under
    /// a weaker one too; the rest stays open where the header does not say.
    #[must_use]
    pub fn truths(&self, model: MemoryModel) -> Truths {
        let told = self.verdicts.iter().find(|(of, _)| *of == model);
        let verdict = told.or(self.verdicts.first()).map_or("unknown", |(_, verdict)| verdict);
        let truth = |property: &Property| match (verdict, self.broken.contains(property)) {
            ("bug", true) => Truth::Violated,
            ("bug" | "safe", _) if told.is_some() => Truth::Safe,
            _ => Truth::Open,
        };
        let properties = self.properties.iter().map(|property| (*property, truth(property))).collect();
        Truths {
            properties,
            states: 0,
            complete: true,
            unsupported: None,
            in_rounds: false,
            in_contexts: Vec::new(),
        }
    }

    /// How it is to be lowered.
    #[must_use]
    pub fn lowering(&self) -> LowerOptions {
        LowerOptions {
            arithmetic: ArithmeticChecks::of(&self.properties),
            signed_overflow: self.signed_overflow,
            environment: Environment { address_reuse: self.address_reuse, ..Environment::default() },
            ..LowerOptions::default()
        }
    }

    /// Whether it comes upon something that is not supported, so that nobody may call it safe.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.verdicts.iter().any(|(_, verdict)| verdict == "unknown")
    }
}

/// Reads a header; what is wrong with it otherwise.
pub fn parse(path: PathBuf, name: String, text: &str) -> Result<Case, String> {
    let (mut properties, mut verdicts, mut broken) = (Vec::new(), Vec::new(), Vec::new());
    let (mut bounds, mut models) = (Bounds::default(), DATA_MODELS.to_vec());
    let (mut signed_overflow, mut ends_undefined) = (SignedOverflow::Wraps, false);
    let (mut address_reuse, mut contexts) = (AddressReuse::Possible, None);
    for line in text.lines() {
        if let Some((key, value)) = line.strip_prefix("//@ ").and_then(|entry| entry.split_once(": ")) {
            match (key, value.trim()) {
                ("property", names) => {
                    for name in names.split(',') {
                        properties.push(property(name.trim())?);
                    }
                }
                ("verdict", value) => verdicts.push((MemoryModel::Sc, value.to_owned())),
                ("verdict-tso", value) => verdicts.push((MemoryModel::Tso, value.to_owned())),
                ("verdict-pso", value) => verdicts.push((MemoryModel::Pso, value.to_owned())),
                ("bounds", list) => {
                    for bound in list.split(',') {
                        add_bound(&mut bounds, bound.trim())?;
                    }
                }
                ("contexts", value) => {
                    let number = value.parse::<u32>().map_err(|_| format!("`{value}` is no number"))?;
                    contexts = Some(number);
                }
                ("models", "lp64") => models = vec![DataModel::Lp64],
                ("models", "ilp32") => models = vec![DataModel::Ilp32],
                ("signed-overflow", "undefined") => signed_overflow = SignedOverflow::Undefined,
                ("address-reuse", "never") => address_reuse = AddressReuse::Never,
                _ => {}
            }
        }
        if let Some((_, mark)) = line.split_once("//~ BUG ") {
            broken.push(property(mark.split_whitespace().next().unwrap_or_default())?);
        }
        ends_undefined |= line.contains("//~ UNDEFINED ");
    }
    if verdicts.first().is_none_or(|(model, _)| *model != MemoryModel::Sc) {
        return Err(format!("{name}: no verdict"));
    }
    Ok(Case {
        path,
        name,
        properties,
        broken,
        verdicts,
        bounds,
        contexts,
        models,
        signed_overflow,
        address_reuse,
        ends_undefined,
    })
}

fn property(name: &str) -> Result<Property, String> {
    Property::from_name(name).ok_or_else(|| format!("no property is called `{name}`"))
}

fn add_bound(bounds: &mut Bounds, text: &str) -> Result<(), String> {
    let number = |text: &str| text.trim().parse::<u32>().map_err(|_| format!("`{text}` is no number"));
    let (key, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is no bound"))?;
    match key.trim() {
        "unwind" => bounds.unwind = Some(number(value)?),
        "unwind-max" => bounds.unwind_max = Some(number(value)?),
        "max-threads" => bounds.max_threads = Some(number(value)?),
        name => {
            bounds.unwind_set.insert(name.to_owned(), number(value)?);
        }
    }
    Ok(())
}

/// The folder of the cases.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

/// All cases whose name has `part` in it, in order.
pub fn read_all(part: &str) -> Result<Vec<Case>, String> {
    let root = folder();
    let mut cases = Vec::new();
    for topic in entries(&root)?.into_iter().filter(|path| path.is_dir()) {
        for path in entries(&topic)? {
            let is_case = path.extension().is_some_and(|extension| extension == "c");
            let short = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
            let name = short.to_string_lossy().replace('\\', "/");
            if !is_case || !name.contains(part) {
                continue;
            }
            #[expect(clippy::disallowed_methods, reason = "the cases are files")]
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
            cases.push(parse(path, name, &text)?);
        }
    }
    Ok(cases)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listed = std::fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
    });
    let mut paths = listed.map_err(|error| format!("{}: {error}", folder.display()))?;
    paths.sort();
    Ok(paths)
}

/// Does work for each case in each of its data models, several at a time; what it gives, in order.
pub fn for_each<T: Send>(
    cases: &[Case],
    jobs: usize,
    work: &(dyn Fn(&Case, DataModel) -> Vec<T> + Sync),
) -> Vec<T> {
    let tasks: Vec<(&Case, DataModel)> =
        cases.iter().flat_map(|case| case.models.iter().map(move |&model| (case, model))).collect();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Vec<T>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(case, model)) = tasks.get(number) else { return };
                    let found = on_large_stack(|| work(case, model));
                    done.lock().expect("no worker panics while it holds the list").push((number, found));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no worker panics while it holds the list");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().flat_map(|(_, found)| found).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Case, String> {
        parse(PathBuf::new(), "t".to_owned(), text)
    }

    #[test]
    fn a_header_tells_what_is_true() {
        let text = "//@ property: assertion, deadlock\n//@ verdict: bug\n//@ bounds: unwind=2, main.0=5\n\
                    //@ models: ilp32\nx; //~ BUG deadlock thread=t1\n";
        let case = read(text).expect("it is a header");
        let truths = |case: &Case, model: MemoryModel| -> Vec<Truth> {
            case.truths(model).properties.into_iter().map(|(_, truth)| truth).collect()
        };
        assert_eq!(case.properties, [Property::Assertion, Property::Deadlock]);
        assert_eq!(truths(&case, MemoryModel::Sc), [Truth::Safe, Truth::Violated]);
        assert_eq!(truths(&case, MemoryModel::Tso), [Truth::Open, Truth::Violated]);
        assert_eq!(case.bounds.unwind, Some(2));
        assert_eq!(case.bounds.unwind_set.get("main.0"), Some(&5));
        assert_eq!(case.models, [DataModel::Ilp32]);
        assert!(!case.is_unknown());
        let weak =
            read("//@ property: assertion\n//@ verdict: safe\n//@ verdict-pso: bug\nx; //~ BUG assertion\n");
        let weak = weak.expect("it is a header");
        assert_eq!(truths(&weak, MemoryModel::Sc), [Truth::Safe]);
        assert_eq!(truths(&weak, MemoryModel::Tso), [Truth::Open]);
        assert_eq!(truths(&weak, MemoryModel::Pso), [Truth::Violated]);
        let unknown = read("//@ property: overflow\n//@ verdict: unknown\n").expect("it is a header");
        assert!(unknown.is_unknown() && truths(&unknown, MemoryModel::Sc) == [Truth::Open]);
        for wrong in ["", "//@ verdict: bug\n//@ property: love\n", "//@ bounds: two\n//@ verdict: safe\n"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
