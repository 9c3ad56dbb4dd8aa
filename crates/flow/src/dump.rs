//! A flow as text, for tests and people.

use std::fmt::Write as _;

use raddle_base::Id as _;
use raddle_ir::{Point, Program};

use crate::model::{Edge, Flow, LocationKind, Template, TemplateId};

/// A flow as text.
#[must_use]
pub fn dump(flow: &Flow, program: &Program) -> String {
    let mut text = String::new();
    for (id, variable) in flow.variables.iter() {
        let whose = variable.owner.map_or_else(|| "shared".to_owned(), |owner| format!("own of {owner}"));
        let initial = flow.initial.iter().find(|(other, _)| *other == id);
        let initial =
            initial.map_or_else(String::new, |(_, term)| format!(" = {}", flow.terms.display(*term)));
        let _ = writeln!(text, "{id} {} : {:?} {whose}{initial}", variable.name, variable.sort);
    }
    for (storage, value) in &flow.constants {
        let _ = writeln!(text, "constant {storage:?} = {}", flow.terms.display(*value));
    }
    for (id, check) in flow.checks.iter() {
        let kind = if check.is_asked { "asked" } else { "owed" };
        let _ = writeln!(text, "{id} {kind} {:?}: {}", check.property, check.message);
    }
    for (id, template) in flow.templates.iter() {
        dump_template(&mut text, flow, program, (id, template));
    }
    text
}

fn at(point: &Point, program: &Program) -> String {
    let mut text = String::new();
    for site in point.frame.iter().chain(std::iter::once(&point.site)) {
        let name = &program.functions[site.function].name;
        let _ = write!(text, "/{name}:{}:{}", site.block, site.index);
    }
    text
}

fn dump_template(text: &mut String, flow: &Flow, program: &Program, (id, template): (TemplateId, &Template)) {
    let single = if template.is_single { "single" } else { "several" };
    let _ = writeln!(text, "\ntemplate {id} `{}` {single}", program.functions[template.function].name);
    for (by, point) in &template.started_at {
        let _ = writeln!(text, "  started by {by} at {}", at(point, program));
    }
    for (location, known) in template.locations.iter() {
        let kind = match &known.kind {
            LocationKind::Step(point) => at(point, program),
            LocationKind::Ended => "ended".to_owned(),
            LocationKind::Stuck => "stuck".to_owned(),
            LocationKind::Failed(check) => format!("failed {check}"),
        };
        let cycle = if known.is_on_cycle { " (cycle)" } else { "" };
        let live: Vec<&str> = known.live.iter().map(|id| flow.variables[*id].name.as_str()).collect();
        let _ = writeln!(text, "  {location} {kind}{cycle} live {live:?}");
        for edge in template.edges.iter().filter(|edge| edge.from == location) {
            dump_edge(text, flow, edge);
        }
    }
}

fn dump_edge(text: &mut String, flow: &Flow, edge: &Edge) {
    let waits = if edge.waits { " waits" } else { "" };
    let _ = writeln!(text, "    -> {}{waits} ({} instructions)", edge.to, edge.path.len());
    for guard in &edge.guards {
        let _ = writeln!(text, "       if {}", flow.terms.display(*guard));
    }
    for (variable, value) in &edge.updates {
        let _ = writeln!(text, "       {} := {}", flow.variables[*variable].name, flow.terms.display(*value));
    }
    if let Some(thread) = edge.joins {
        let _ = writeln!(text, "       join {}", flow.terms.display(thread));
    }
    if let Some(spawn) = &edge.spawn {
        let _ =
            writeln!(text, "       spawn T{} id {}", spawn.template.index(), flow.terms.display(spawn.id));
        for (variable, value) in &spawn.values {
            let name = &flow.variables[*variable].name;
            let _ = writeln!(text, "         {name} := {}", flow.terms.display(*value));
        }
    }
}
