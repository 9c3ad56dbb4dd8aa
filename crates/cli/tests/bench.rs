//! `raddle bench`, with a script in the place of the checker that does what each task file tells it.

#![expect(clippy::disallowed_methods, reason = "the tests start the command and read what it writes")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A directory of tasks for one test, removed afterwards. Commands run in it.
struct Tasks(PathBuf);

impl Tasks {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("raddle-bench-{}-{test}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> &Self {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// A task whose checker does as it is told.
    fn task(&self, name: &str, expected: bool, behaviour: &str) -> &Self {
        self.file(
            name,
            &format!(
                "format_version: '2.0'\n# checker: {behaviour}\ninput_files: 'a.i'\nproperties:\n  - property_file: \
                 ../properties/unreach-call.prp\n    expected_verdict: {expected}\noptions:\n  language: C\n  data_model: ILP32\n"
            ),
        )
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bench/checker.sh");
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(["bench", "--checker", checker]).args(arguments).current_dir(&self.0);
        command.stdin(Stdio::null());
        command
    }

    fn bench(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }
}

impl Drop for Tasks {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Ran {
    #[track_caller]
    fn says(&self, part: &str) -> &Self {
        assert!(self.stdout.contains(part), "`{part}` is not in\n{}{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    fn ends_with_code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        self
    }

    /// Fails unless it was refused with exactly these words.
    #[track_caller]
    fn is_refused(&self, message: &str) {
        assert_eq!((self.stdout.as_str(), self.stderr.trim_end()), ("", message));
        assert_eq!(self.code, Some(1));
    }
}

/// The text without what differs from run to run: the measures in the lines of tasks and in the table; and with single spaces.
fn without_measures(text: &str) -> String {
    let line = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let measures: &[usize] = match words.as_slice() {
            [number, ..] if number.starts_with('[') => &[2, 4],
            [.., score] if words.len() == 15 && score.contains('/') => &[11, 12, 13],
            _ => &[],
        };
        for &index in measures {
            assert!(words[index].parse::<f64>().is_ok(), "{line}");
            words[index] = "#";
        }
        words.join(" ") + "\n"
    };
    text.lines().map(line).collect()
}

#[test]
fn everything_that_can_happen_is_told_in_order() {
    let tasks = Tasks::new("all");
    tasks
        .task("a/right-true.yml", true, "true")
        .task("a/right-false.yml", false, "false")
        .task("a/open.yml", true, "unknown")
        .task("b/bounded.yml", true, "bounded")
        .task("b/late.yml", true, "late")
        .task("b/refuse.yml", true, "refuse")
        .task("b/slow.yml", true, "slow")
        .file("b/notes.yml", "just: notes\n")
        .file("b/other.yml", "format_version: '2.0'\nproperties:\n  - property_file: ../p/no-overflow.prp\n");
    let ran = tasks.bench(&[".", "--jobs", "3"]);
    let expected = "\
7 tasks, property unreach-call, 60 s and 4000 MB each, 3 at a time; skipped: 1 without the property, 1 not a task file
[1/7] unknown # s # MB a/open.yml (assertion: UNKNOWN: inline assembly at a.c:7)
[2/7] correct-false # s # MB a/right-false.yml
[3/7] correct-true # s # MB a/right-true.yml
[4/7] bounded-safe # s # MB b/bounded.yml (assertion: SAFE up to 3 iterations)
[5/7] time-out # s # MB b/late.yml (assertion: UNKNOWN: out of time)
[6/7] input-error # s # MB b/refuse.yml (error: expected an expression)
[7/7] correct-true # s # MB b/slow.yml

right right wrong wrong up to time out of CPU wall peak
folder tasks true false true false bounds unknown out memory errors s s MB score
a 3 1 1 0 0 0 1 0 0 0 # # # 3/5
b 4 1 0 0 0 1 0 1 0 1 # # # 2/8
total 7 2 1 0 0 1 1 1 0 1 # # # 5/13

errors: 1
b/refuse.yml input-error error: expected an expression

not decided: 2
a/open.yml unknown assertion: UNKNOWN: inline assembly at a.c:7
b/late.yml time-out assertion: UNKNOWN: out of time

safe only up to bounds: 1
b/bounded.yml bounded-safe assertion: SAFE up to 3 iterations
";
    assert_eq!(without_measures(&ran.stdout), expected, "\n{}", ran.stdout);
    assert_eq!(ran.stderr, "");
    ran.ends_with_code(0);
}

#[test]
fn wrong_verdicts_are_first_and_loud() {
    let tasks = Tasks::new("wrong");
    tasks.task("a/1.yml", true, "false").task("a/2.yml", false, "true").task("a/3.yml", true, "mistake");
    let ran = tasks.bench(&["a", "-j1"]);
    ran.ends_with_code(10).says("-48/5");
    let after_tasks = ran.stdout.split_once("\n\n").unwrap().1;
    assert!(
        after_tasks.starts_with(
            "!!! WRONG VERDICTS: 2\n!!! a/1.yml: unreach-call: expected TRUE, got FALSE\n\
             !!! a/2.yml: unreach-call: expected FALSE, got TRUE\n"
        ),
        "{after_tasks}"
    );
    assert!(ran.stdout.ends_with("!!! WRONG VERDICTS: 2 (listed above)\n"), "{}", ran.stdout);
}

#[test]
fn mistakes_of_the_checker_are_told_from_refused_input() {
    let tasks = Tasks::new("mistakes");
    tasks.task("a/1.yml", true, "crash").task("a/2.yml", true, "contradict").task("a/3.yml", true, "mistake");
    tasks
        .bench(&["a"])
        .ends_with_code(2)
        .says("a/1.yml  internal-error  ended by signal 11; it says nothing about it\n")
        .says("a/2.yml  internal-error  it says TRUE and ends with exit code 10\n")
        .says("a/3.yml  internal-error  internal error: the trace does not replay\n");
    tasks.task("b/1.yml", true, "refuse");
    tasks.bench(&["b"]).ends_with_code(0).says("b/1.yml  input-error     error: expected an expression\n");
}

#[test]
fn a_task_over_its_time_is_killed() {
    let tasks = Tasks::new("hang");
    tasks.task("a/1.yml", true, "hang").task("a/2.yml", true, "true");
    let start = Instant::now();
    tasks
        .bench(&["a", "--timeout", "1"])
        .ends_with_code(0)
        .says("a/1.yml  time-out        killed: over time\n")
        .says("correct-true");
    let took = start.elapsed();
    assert!(took > Duration::from_secs(2) && took < Duration::from_secs(30), "{took:?}");
}

#[test]
fn a_task_over_its_memory_is_killed() {
    let tasks = Tasks::new("hog");
    tasks.task("a/1.yml", true, "hog");
    tasks
        .bench(&["a", "--memory", "100", "--csv", "out.csv"])
        .ends_with_code(0)
        .says("a/1.yml  out-of-memory   killed: over memory\n");
    let csv = tasks.read("out.csv");
    let row: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(row[..6], ["a/1.yml", "unreach-call", "true", "", "out-of-memory", ""]);
    assert!(row[8].parse::<u64>().unwrap() > 100, "{csv}");
}

#[test]
fn results_are_kept_and_compared() {
    let tasks = Tasks::new("compare");
    tasks.task("s/a/1.yml", true, "true").task("s/a/2.yml", false, "unknown").task("s/b/3.yml", true, "true");
    tasks.bench(&["s", "--csv", "old.csv"]).ends_with_code(0);
    let csv = tasks.read("old.csv");
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap(),
        "task,property,expected,verdict,status,exit_code,cpu_s,wall_s,memory_mb,events,variables,clauses,conflicts,reason"
    );
    let without_measures = |line: &str| {
        let row: Vec<&str> = line.split(',').collect();
        assert!(row[6].parse::<f64>().unwrap() < 60.0 && row[8].parse::<u64>().unwrap() > 0, "{line}");
        assert!(row[7].parse::<f64>().unwrap() > 0.0, "{line}");
        [&row[..6], &row[9..]].concat().join(",")
    };
    assert_eq!(
        lines.map(without_measures).collect::<Vec<String>>(),
        [
            "a/1.yml,unreach-call,true,TRUE,correct-true,0,,,,,",
            "a/2.yml,unreach-call,false,UNKNOWN,unknown,20,,,,,assertion: UNKNOWN: inline assembly at a.c:7",
            "b/3.yml,unreach-call,true,TRUE,correct-true,0,,,,,",
        ]
    );

    // The same names, though the tasks are named in another way.
    tasks.task("s/a/1.yml", true, "bounded").task("s/a/2.yml", false, "false").task(
        "s/a/4.yml",
        true,
        "true",
    );
    tasks
        .bench(&["s/a", "s/b/3.yml", "--compare", "old.csv", "--csv", "old.csv"])
        .ends_with_code(0)
        .says("compared with old.csv: 3 tasks in both, 1 only now\nREGRESSIONS: 1\n  a/1.yml: correct-true -> bounded-safe: ")
        .says("improvements: 1\n  a/2.yml: unknown -> correct-false\n")
        .says("CPU s of tasks decided rightly both times  tasks  before   now  ratio  geo. mean\nb    ")
        .says("slowest of them  before   now  ratio\nb/3.yml ");
    assert_eq!(tasks.read("old.csv").lines().count(), 5);
}

#[test]
fn the_checker_is_called_with_limits_and_options() {
    let tasks = Tasks::new("words");
    tasks.task("a/1.yml", true, "true");
    tasks
        .bench(&["a", "--timeout", "7", "--memory", "50MB", "--", "--record", "calls", "--timeout=3", "-x"])
        .ends_with_code(0);
    let expected =
        "--memory 50 --property a/../properties/unreach-call.prp --record calls --timeout=3 -x a/1.yml\n";
    assert_eq!(tasks.read("calls"), expected);
}

#[test]
fn the_whole_chain_works_with_our_own_checker() {
    let tasks = Tasks::new("chain");
    let program = |condition: &str| {
        format!(
            "extern void abort(void); void reach_error() {{ abort(); }} int x; int main(void) {{ x = 1; if ({condition}) \
             reach_error(); return 0; }}"
        )
    };
    tasks
        .file("properties/unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        .file("a/a.i", &program("x == 2"))
        .task("a/holds.yml", true, "")
        .file("b/a.i", &program("x == 1"))
        .task("b/broken.yml", false, "")
        .file("c/a.i", "int main(void) { return 0 }")
        .task("c/refused.yml", true, "");
    let ran: Ran = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args([
            "bench",
            ".",
            "--timeout",
            "50",
            "--csv",
            "out.csv",
            "--",
            "--engine",
            "exhaustive",
            "--timeout=40",
        ])
        .current_dir(&tasks.0)
        .output()
        .unwrap()
        .into();
    ran.ends_with_code(0).says("c/refused.yml  input-error     ");
    let statuses: Vec<String> =
        tasks.read("out.csv").lines().skip(1).map(|row| row.split(',').nth(4).unwrap().to_owned()).collect();
    assert_eq!(statuses, ["correct-true", "correct-false", "input-error"], "{}", ran.stdout);
    let csv = tasks.read("out.csv");
    let sizes: Vec<&str> = csv.lines().nth(1).unwrap().split(',').skip(9).take(4).collect();
    assert!(sizes.iter().all(|size| size.parse::<u64>().is_ok()), "{csv}");
}

#[test]
fn repeated_runs_keep_the_worst_status() {
    let tasks = Tasks::new("repeat");
    tasks.task("a/1.yml", true, "alternate").task("a/2.yml", true, "true");
    tasks
        .bench(&["a", "--repeat", "3", "--", "--record", "calls"])
        .ends_with_code(10)
        .says("WRONG-FALSE")
        .says("[only in 1 of 3 runs]");
    assert_eq!(tasks.read("calls").lines().count(), 6);
}

#[test]
fn another_property_can_be_asked_for() {
    let tasks = Tasks::new("property");
    tasks.task("a/1.yml", true, "true").file(
        "a/2.yml",
        "format_version: '2.0'\n# checker: false\nproperties:\n  - property_file: p/unreach-call.prp\n    \
         expected_verdict: true\n  - property_file: p/no-data-race.prp\n    expected_verdict: false\n  \
         - property_file: p/termination.prp\n",
    );
    for property in ["no-data-race", "some/where/no-data-race.prp"] {
        tasks
            .bench(&["a", "--property", property])
            .ends_with_code(0)
            .says("1 task, property no-data-race")
            .says("1/1");
    }
    tasks.bench(&["a", "--property", "termination"]).is_refused(
        "raddle: no tasks for the property `termination`; skipped: 1 without the property, 1 without an expected verdict",
    );
}

#[test]
fn bad_input_is_refused_before_anything_runs() {
    let tasks = Tasks::new("bad");
    tasks
        .task("a/1.yml", true, "true")
        .file("broken/1.yml", "format_version: '2.0'\nproperties: [\n")
        .file("broken/2.yml", "format_version: '1.0'\n")
        .file("none/notes.yml", "a: b\n");
    tasks.bench(&["a", "missing"]).is_refused("raddle: missing: No such file or directory (os error 2)");
    tasks
        .bench(&["none"])
        .is_refused("raddle: no tasks for the property `unreach-call`; skipped: 1 not a task file");
    tasks
        .bench(&["none/notes.yml"])
        .is_refused("raddle: none/notes.yml: not a task file: it has no `format_version`");
    let broken = tasks.bench(&["a", "broken"]);
    let messages: Vec<&str> = broken.stderr.lines().collect();
    assert!(
        messages[0].starts_with("raddle: broken/1.yml: ") && messages[0].contains("line 2"),
        "{messages:?}"
    );
    assert_eq!(messages[1..], ["raddle: broken/2.yml: format_version 1.0 is not supported; version 2 is"]);
    assert_eq!((broken.code, broken.stdout.as_str()), (Some(1), ""));
    tasks
        .bench(&["a", "--compare", "missing.csv"])
        .is_refused("raddle: cannot read missing.csv: No such file or directory (os error 2)");
    tasks.file("odd.csv", "task,verdict\n").bench(&["a", "--compare", "odd.csv"]).is_refused(
        "raddle: cannot read odd.csv: no column `property`; is this a file that `raddle bench --csv` wrote?",
    );
    tasks
        .bench(&["a", "--csv", "missing/out.csv"])
        .is_refused("raddle: cannot write missing/out.csv: No such file or directory (os error 2)");
    assert_eq!(tasks.bench(&["a", "--timeout", "0"]).code, Some(1));
    assert_eq!(tasks.bench(&["a", "--memory", "lots"]).code, Some(1));
}

#[test]
fn a_checker_that_cannot_start_is_said_once() {
    let tasks = Tasks::new("start");
    tasks.task("a/1.yml", true, "true").task("a/2.yml", true, "true");
    let ran: Ran = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["bench", "--checker", "./missing", "a"])
        .current_dir(&tasks.0)
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.stderr, "raddle: cannot run ./missing: No such file or directory (os error 2)\n");
}

#[test]
fn an_interrupted_campaign_tells_what_it_knows() {
    let tasks = Tasks::new("interrupt");
    tasks.task("a/1.yml", true, "true").task("a/2.yml", true, "hang").task("a/3.yml", true, "true");
    let child = tasks
        .command(&["a", "--jobs", "1", "--csv", "out.csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while fs::read_to_string(tasks.0.join("out.csv")).map_or(0, |text| text.lines().count()) < 2 {
        assert!(Instant::now() < deadline, "the first task does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let ran: Ran = child.wait_with_output().unwrap().into();
    ran.ends_with_code(20).says("INTERRUPTED: 1 of 3 tasks done\n").says("total       1");
}
