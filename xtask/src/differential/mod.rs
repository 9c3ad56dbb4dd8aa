//! Differential testing (McKeeman 1998): sequential programs run as gcc builds them and as we lower and interpret them; output and
//! exit code are equal.
//!
//! The programs are those under `tests/programs`, and random ones ([`generate`]). The fixed samples are tests of this
//! crate; `cargo xtask differential` runs as many as one likes.

mod generate;
mod run;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use raddle_cfront::layout::DataModel;

use self::run::{Scratch, Shown, compare, native, ours};
use crate::chores::{is_installed, say};

/// How many comparisons run at once: the machines that run the tests have few cores.
const WORKERS: usize = 2;

/// `cargo xtask differential [--count N] [--seed S] [--keep DIR] [FILE…]`
pub(crate) fn differential(arguments: &[String]) -> Result<()> {
    let (mut count, mut seed, mut keep, mut files) = (1_000, 1, None, Vec::new());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--count" => count = value()?.parse()?,
            "--seed" => seed = value()?.parse()?,
            "--keep" => keep = Some(PathBuf::from(value()?)),
            file => files.push(PathBuf::from(file)),
        }
    }
    if !is_installed("gcc") {
        bail!("the comparison needs gcc, which is not installed");
    }
    let failures = if files.is_empty() { campaign(count, seed, keep.as_deref())? } else { programs(&files)? };
    let of = if files.is_empty() { count } else { files.len() };
    say(&format!("{of} programs, {} differ", failures.len()));
    if failures.is_empty() { Ok(()) } else { bail!("gcc and we disagree") }
}

/// Compares `count` random programs; the same seed gives the same programs. Those that differ are kept if a folder is given.
fn campaign(count: usize, seed: u64, keep: Option<&Path>) -> Result<Vec<String>> {
    let work = |number: usize, scratch: &Scratch| {
        let text = generate::program(seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        // Without includes there is nothing to preprocess.
        let path = scratch.write("random.i", &text)?;
        let found = compare_file(&path, scratch);
        if let (Err(_), Some(folder)) = (&found, keep) {
            std::fs::create_dir_all(folder)?;
            std::fs::copy(&path, folder.join(format!("random-{seed}-{number}.c")))?;
        }
        found.with_context(|| format!("program {number} of seed {seed}"))
    };
    in_parallel(count, &work)
}

/// Compares the programs in files, with both data models where the output does not depend on it.
fn programs(files: &[PathBuf]) -> Result<Vec<String>> {
    let work = |number: usize, scratch: &Scratch| {
        let file = &files[number];
        let context = || file.display().to_string();
        let shown = compare_file(file, scratch).with_context(context)?;
        let shown = shown.with_context(context).context("gcc crashes")?;
        // What does not depend on the sizes of types is the same with the other data model.
        if !says(file, "//@ lp64 only")? {
            let other = ours(file, DataModel::Ilp32).with_context(context).context("ILP32")?;
            if let Some(difference) = compare(&shown, &other) {
                bail!("{}: ILP32: {difference}", file.display());
            }
        }
        Ok(Some(shown))
    };
    in_parallel(files.len(), &work)
}

fn says(file: &Path, words: &str) -> Result<bool> {
    #[expect(clippy::disallowed_methods, reason = "the cases are read")]
    let text = std::fs::read_to_string(file)?;
    Ok(text.lines().any(|line| line.trim() == words))
}

/// What the program shows, if we agree with gcc; nothing where gcc crashes and so has no say.
fn compare_file(path: &Path, scratch: &Scratch) -> Result<Option<Shown>> {
    let Some(expected) = native(path, scratch)? else {
        say("gcc crashes on a program, which is left out");
        return Ok(None);
    };
    let found = std::panic::catch_unwind(|| ours(path, DataModel::Lp64));
    let found = found.unwrap_or_else(|_| bail!("we panic"))?;
    match compare(&expected, &found) {
        None => Ok(Some(expected)),
        Some(difference) => bail!("{difference}"),
    }
}

/// Does the work for each number below `count`; gives what failed, in order.
fn in_parallel(
    count: usize,
    work: &(dyn Fn(usize, &Scratch) -> Result<Option<Shown>> + Sync),
) -> Result<Vec<String>> {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let next = AtomicUsize::new(0);
    let failures: Mutex<Vec<(usize, String)>> = Mutex::new(Vec::new());
    let worker = |name: usize| -> Result<()> {
        let scratch = Scratch::new(&format!("{call}-{name}"))?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return Ok(());
            }
            if let Err(why) = work(number, &scratch) {
                let why = format!("{why:#}");
                say(&why);
                failures.lock().expect("no worker panics while it holds the list").push((number, why));
            }
            if number % 500 == 499 {
                say(&format!("… {} of {count} programs", number + 1));
            }
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|name| scope.spawn(move || worker(name))).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("a worker does not panic"))
    })?;
    let mut failures = failures.into_inner().expect("no worker panics while it holds the list");
    failures.sort();
    Ok(failures.into_iter().map(|(_, why)| why).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::collect;

    #[test]
    fn the_programs_do_what_gcc_makes_them_do() {
        if !is_installed("gcc") {
            say("SKIPPED: gcc is not installed, so nobody tells what the programs should print");
            return;
        }
        let mut files = Vec::new();
        collect(&crate::chores::root().join("tests/programs"), "c", &mut files).unwrap();
        assert!(files.len() >= 120, "the programs are there: {}", files.len());
        assert_eq!(programs(&files).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn random_programs_do_what_gcc_makes_them_do() {
        if !is_installed("gcc") {
            say("SKIPPED: gcc is not installed, so nobody tells what the programs should print");
            return;
        }
        assert_eq!(campaign(100, 7, None).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn a_difference_is_found() {
        let shown = |text: &str, status| Shown { output: text.as_bytes().to_vec(), status };
        assert_eq!(compare(&shown("1\n", 0), &shown("1\n", 0)), None);
        assert!(compare(&shown("1\n", 0), &shown("2\n", 0)).is_some());
        assert!(compare(&shown("1\n", 0), &shown("1\n", 1)).is_some());
        assert!(compare(&shown("1\n2\n", 0), &shown("1\n", 0)).is_some());
    }
}
