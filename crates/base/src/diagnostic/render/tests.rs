//! What people are shown.

use super::*;
use crate::source::{FileId, LineMarker};

/// Renders `diagnostic` about the first occurrence of `at` in `text`, which was lexed from `original`.
struct Case<'a> {
    text: &'a [u8],
    original: Option<&'a [u8]>,
}

fn find(text: &[u8], needle: &str) -> Range<usize> {
    let start = memchr::memmem::find(text, needle.as_bytes()).unwrap();
    start..start + needle.len()
}

impl Case<'_> {
    /// The text as a source map: line markers `# N "file"` are recorded as the lexer does.
    fn sources(&self) -> (SourceMap, FileId) {
        let mut sources = SourceMap::new();
        let file = sources.add("main.i", self.text).unwrap();
        let start = sources.file(file).start;
        let mut markers = Vec::new();
        let mut position = 0;
        for line in self.text.split_inclusive(|&byte| byte == b'\n') {
            position += line.len();
            let words: Vec<String> =
                String::from_utf8_lossy(line).split_whitespace().map(str::to_owned).collect();
            if let [hash, number, name] = &words[..]
                && hash == "#"
            {
                markers.push(LineMarker {
                    position: start + u32::try_from(position).unwrap(),
                    line: number.parse().unwrap(),
                    file: name.trim_matches('"').into(),
                    system: false,
                });
            }
        }
        sources.set_markers(file, markers);
        (sources, file)
    }

    fn render(&self, make: impl Fn(&dyn Fn(&str) -> Span) -> Diagnostic) -> (String, String) {
        let (sources, file) = self.sources();
        let start = sources.file(file).start;
        let span = |needle: &str| {
            let range = find(self.text, needle);
            let at = |offset: usize| start + u32::try_from(offset).unwrap();
            Span::new(at(range.start), at(range.end))
        };
        let mut renderer =
            Renderer::new(
                &sources,
                |name| if name == "main.c" { self.original.map(<[u8]>::to_vec) } else { None },
            );
        let diagnostic = make(&span);
        (renderer.text(&diagnostic), renderer.json(&diagnostic))
    }
}

fn check(actual: &str, expected: &str) {
    assert_eq!(actual.trim_end(), expected.trim_matches('\n'), "\n{actual}\n");
}

#[test]
fn a_span_in_the_text_itself() {
    let case = Case { text: b"int x;\nint y = z;\n", original: None };
    let (text, json) = case.render(|span| {
        Diagnostic::error(span("z"), "`z` is not declared")
            .label("not found in this scope")
            .also(span("x"), "perhaps this is meant")
            .note("names are case-sensitive")
            .help("declare it")
    });
    check(
        &text,
        "
error: `z` is not declared
 --> main.i:2:9
  |
1 | int x;
  |     - perhaps this is meant
2 | int y = z;
  |         ^ not found in this scope
  |
  = note: names are case-sensitive
  = help: declare it",
    );
    check(
        &json,
        r#"{"severity":"error","message":"`z` is not declared","file":"main.i","line":2,"column":9,"end":{"line":2,"column":10},"label":"not found in this scope","labels":[{"file":"main.i","line":1,"column":5,"end":{"line":1,"column":6},"label":"perhaps this is meant"}],"notes":["names are case-sensitive"],"help":["declare it"]}"#,
    );
}

#[test]
fn no_span_at_all() {
    let case = Case { text: b"", original: None };
    let (text, json) = case.render(|_| Diagnostic::error(Span::NONE, "no compiler").help("install one"));
    check(&text, "error: no compiler\n |\n = help: install one");
    check(
        &json,
        r#"{"severity":"error","message":"no compiler","labels":[],"notes":[],"help":["install one"]}"#,
    );
}

#[test]
fn the_original_line_is_shown_with_the_token_found_on_it() {
    let case = Case {
        text: b"# 1 \"main.c\"\nint limit = 100;\nint y = 100 + limit + limits;\n",
        original: Some(b"#define N 100\nint y = N + limit + limits; // sum\n"),
    };
    // Line 1 of the preprocessed text has no counterpart: the marker there says line 1.
    let (text, _) = case.render(|span| Diagnostic::warning(span("limits"), "doubtful"));
    check(
        &text,
        "
warning: doubtful
 --> main.c:2:21
  |
2 | int y = N + limit + limits; // sum
  |                     ^^^^^^",
    );
    let (text, _) = case.render(|span| Diagnostic::warning(span("limit + limits"), "doubtful"));
    assert!(text.contains("main.c:2:13") && text.contains("            ^^^^^^^^^^^^^^"), "{text}");
    // The macro's value is not on the user's line: the whole line is meant.
    let (text, _) = case.render(|span| Diagnostic::warning(span("100 +"), "doubtful"));
    assert!(text.contains("main.c:2:1\n") && text.contains("  | ^^^^^^^^^^^^^^"), "{text}");
}

#[test]
fn something_missing_is_shown_behind_the_token_before() {
    let case = Case { text: b"# 4 \"main.c\"\n  f(100)\n}\n", original: Some(b"\n\n\n\tf(N)\n}\n") };
    let (text, json) = case.render(|span| Diagnostic::error(span("100)").after(), "expected `;`"));
    check(
        &text,
        "
error: expected `;`
 --> main.c:4:6
  |
4 |     f(N)
  |         ^",
    );
    assert!(json.contains(r#""line":4,"column":6,"end":{"line":4,"column":6}"#), "{json}");
}

#[test]
fn without_the_original_the_lexed_line_is_shown() {
    let case = Case { text: b"x\n# 7 \"gone.c\"\nint a;\nint b;\n", original: None };
    let (text, _) = case.render(|span| Diagnostic::error(span("b"), "again").also(span("a"), "before"));
    check(
        &text,
        "
error: again
 --> gone.c:8:5
  |
7 | int a;
  |     - before
8 | int b;
  |     ^",
    );
}

#[test]
fn an_original_that_is_too_short_is_not_believed() {
    let case = Case { text: b"# 7 \"main.c\"\nint q;\n", original: Some(b"int z;\n") };
    let (text, _) = case.render(|span| Diagnostic::error(span("q"), "wrong"));
    assert!(text.contains("main.c:7:5") && text.contains("int q;"), "{text}");
}

#[test]
fn several_lines_and_bytes_that_are_no_text() {
    let case = Case { text: b"\xff\xfe f(\n  1,\n\t2);\n", original: None };
    let (text, json) =
        case.render(|span| Diagnostic::error(span("f(\n  1,\n\t2)"), "too long").label("here"));
    check(
        &text,
        "
error: too long
 --> main.i:1:4
  |
1 |   �� f(
  |  ____^
2 | |   1,
3 | |     2);
  | |______^ here",
    );
    assert!(json.contains(r#""line":1,"column":4,"end":{"line":3,"column":4}"#), "{json}");
}

#[test]
fn colour_only_when_asked() {
    let mut sources = SourceMap::new();
    let file = sources.add("a.c", "x".as_bytes()).unwrap();
    let start = sources.file(file).start;
    let diagnostic = Diagnostic::error(Span::new(start, start + 1), "wrong");
    assert!(!Renderer::new(&sources, |_| None).text(&diagnostic).contains('\x1b'));
    assert!(Renderer::new(&sources, |_| None).colour(true).text(&diagnostic).contains('\x1b'));
}

#[test]
fn spans_at_the_edges_never_panic() {
    let text = "é# 3 \"x\"\n\n\t\"s\" \u{1}\r\né";
    let mut sources = SourceMap::new();
    let file = sources.add("a.c", text.as_bytes()).unwrap();
    let start = sources.file(file).start;
    let end = start + u32::try_from(text.len()).unwrap();
    for lo in start - 1..=end + 1 {
        for hi in lo..=end + 1 {
            let diagnostic = Diagnostic::error(Span::new(lo, hi), "m").label("l");
            let mut renderer = Renderer::new(&sources, |_| Some(b"\xC3\nabc".to_vec()));
            renderer.text(&diagnostic);
            renderer.json(&diagnostic);
        }
    }
}
