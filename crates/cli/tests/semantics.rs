//! `docs/semantics.md`: every sentence names cases, and every case that is named is there.

#![expect(clippy::disallowed_methods, reason = "tests read the repository")]
use std::path::Path;

#[test]
fn every_sentence_about_c_has_a_case() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/semantics.md")).unwrap();
    let mut missing = Vec::new();
    let mut sentences = 0;
    // A sentence is an item of a list; its lines go on indented.
    for item in text.split("\n- ").skip(1) {
        let item = item.split("\n\n").next().unwrap_or(item);
        let names: Vec<&str> = item.split('`').skip(1).step_by(2).filter(|name| name.contains('/')).collect();
        if names.is_empty() {
            missing.push(format!("no case: {item}"));
        }
        for name in names {
            if !root.join("tests/cases").join(format!("{name}.c")).is_file() {
                missing.push(format!("no such case: {name}"));
            }
        }
        sentences += 1;
    }
    assert!(sentences > 30, "the page has {sentences} sentences");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
