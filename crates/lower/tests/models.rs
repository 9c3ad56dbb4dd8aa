//! What must hold of the text of the API models.

use raddle_lower::models;

/// The text between two others, wherever it is found.
fn between<'t>(text: &'t str, before: &'t str, after: char) -> impl Iterator<Item = &'t str> {
    text.match_indices(before).filter_map(move |(at, _)| text[at + before.len()..].split(after).next())
}

/// Name and text of each function that has this first parameter.
fn taking<'t>(text: &'t str, parameter: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    text.match_indices(parameter).filter_map(move |(at, _)| {
        let name = text[..at].rsplit([' ', '*']).next()?;
        let rest = &text[at..];
        let line = &rest[..rest.find('\n')?];
        if line.ends_with(';') {
            return None;
        }
        let end = if line.ends_with('}') { line.len() } else { rest.find("\n}")? };
        Some((name, &rest[..end]))
    })
}

#[test]
fn who_is_given_a_handle_looks_whether_its_thread_is_over() {
    let (_, text) = models();
    // These look at what they need themselves.
    let own = ["__model_pthread_join", "__model_pthread_detach", "__model_pthread_tryjoin_np"];
    let ways = [
        "__thread_id_in_use(thread)",
        "__model_pthread_join(thread",
        "__model_pthread_detach(thread",
        "__model_pthread_timedjoin_np(thread",
    ];
    let mut seen = 0;
    for (name, body) in
        taking(&text, "(unsigned long thread").filter(|(name, _)| name.starts_with("__model_"))
    {
        seen += 1;
        assert!(own.contains(&name) || ways.iter().any(|way| body.contains(way)), "{name}");
    }
    assert!(seen > 15, "the functions were found: {seen}");
}

#[test]
fn what_models_ask_to_be_reached_is_one_of_their_functions() {
    let (_, text) = models();
    let asked: Vec<&str> = between(&text, "__raddle_program_reaches(\"", '"').collect();
    assert!(!asked.is_empty());
    for name in asked {
        let defined = |line: &str| !line.starts_with([' ', '/']) && line.contains(&format!("{name}("));
        assert!(text.lines().any(defined), "{name}");
    }
}
