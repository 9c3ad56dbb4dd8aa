//! A generated program as a tree of its lines, which can be printed and cut.
//!
//! A [`Node`] is one line, or a head, some bodies and a tail: a loop, a critical section, a function. What belongs together in
//! meaning but stands apart (a thread's function, its creation and its join) has the same group, so that it can be taken
//! out together. A cut tree need not be a C program: whoever cuts looks whether it still builds.

use std::fmt;

/// Nodes of the same group belong together.
pub type Group = u32;

/// A piece of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it belongs to, besides what it stands in.
    pub group: Option<Group>,
    /// What it is.
    pub piece: Piece,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// One line.
    Line(String),
    /// `open`, the arms with `between` between them, `close`.
    Nest {
        /// The first line.
        open: String,
        /// What stands inside; never empty.
        arms: Vec<Vec<Node>>,
        /// `} else {`
        between: &'static str,
        /// The last line.
        close: String,
    },
}

impl Node {
    /// A line.
    pub fn line(text: impl Into<String>) -> Self {
        Self { group: None, piece: Piece::Line(text.into()) }
    }

    /// A body between a first and a last line.
    pub fn nest(open: impl Into<String>, body: Vec<Self>, close: impl Into<String>) -> Self {
        let piece = Piece::Nest { open: open.into(), arms: vec![body], between: "", close: close.into() };
        Self { group: None, piece }
    }

    /// A body in braces behind a head.
    pub fn block(head: &str, body: Vec<Self>) -> Self {
        Self::nest(format!("{head} {{"), body, "}")
    }

    /// `if (condition) { … } else { … }`
    #[must_use]
    pub fn choice(condition: &str, then: Vec<Self>, otherwise: Vec<Self>) -> Self {
        let piece = Piece::Nest {
            open: format!("if ({condition}) {{"),
            arms: vec![then, otherwise],
            between: "} else {",
            close: "}".to_owned(),
        };
        Self { group: None, piece }
    }

    /// The same, in a group.
    #[must_use]
    pub fn of(mut self, group: Group) -> Self {
        self.group = Some(group);
        self
    }
}

/// A program: what stands behind its includes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tree(pub Vec<Node>);

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_nodes(f, &self.0, 0)
    }
}

fn write_nodes(f: &mut fmt::Formatter<'_>, nodes: &[Node], depth: usize) -> fmt::Result {
    for node in nodes {
        match &node.piece {
            Piece::Line(text) => write_line(f, text, depth)?,
            Piece::Nest { open, arms, between, close } => {
                write_line(f, open, depth)?;
                for (index, arm) in arms.iter().enumerate() {
                    if index > 0 {
                        write_line(f, between, depth)?;
                    }
                    write_nodes(f, arm, depth + 1)?;
                }
                write_line(f, close, depth)?;
            }
        }
    }
    Ok(())
}

fn write_line(f: &mut fmt::Formatter<'_>, text: &str, depth: usize) -> fmt::Result {
    if text.is_empty() { Ok(()) } else { writeln!(f, "{:width$}{text}", "", width = 4 * depth) }
}

/// A way to make a tree smaller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Everything of a group goes.
    Group(Group),
    /// So many nodes from this one on go, in the order of [`Tree::count`]; each with all that it holds.
    Remove {
        /// The first.
        first: usize,
        /// How many in the same body.
        count: usize,
    },
    /// A node gives way to what stands in one of its arms.
    Unwrap {
        /// Which node.
        node: usize,
        /// Which arm.
        arm: usize,
    },
}

impl Tree {
    /// How many nodes there are, at all depths; they are numbered in the order in which they begin.
    #[must_use]
    pub fn count(&self) -> usize {
        count(&self.0)
    }

    /// The groups that occur, in the order of first occurrence.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        let mut found = Vec::new();
        collect_groups(&self.0, &mut found);
        found
    }

    /// A smaller tree; `None` if the cut changes nothing.
    #[must_use]
    pub fn cut(&self, cut: Cut) -> Option<Self> {
        let nodes = match cut {
            Cut::Group(group) => without_group(&self.0, group),
            Cut::Remove { first, count } => {
                let mut left = count;
                let mut number = 0;
                remove(&self.0, &mut number, first, &mut left)
            }
            Cut::Unwrap { node, arm } => {
                let mut number = 0;
                unwrap(&self.0, &mut number, node, arm)
            }
        };
        let tree = Self(nodes);
        (tree != *self).then_some(tree)
    }
}

fn count(nodes: &[Node]) -> usize {
    let inside = |node: &Node| match &node.piece {
        Piece::Line(_) => 0,
        Piece::Nest { arms, .. } => arms.iter().map(|arm| count(arm)).sum(),
    };
    nodes.iter().map(|node| 1 + inside(node)).sum()
}

fn collect_groups(nodes: &[Node], found: &mut Vec<Group>) {
    for node in nodes {
        if let Some(group) = node.group.filter(|group| !found.contains(group)) {
            found.push(group);
        }
        if let Piece::Nest { arms, .. } = &node.piece {
            arms.iter().for_each(|arm| collect_groups(arm, found));
        }
    }
}

/// The same node with other arms.
fn rebuilt(node: &Node, change: &mut dyn FnMut(&[Node]) -> Vec<Node>) -> Node {
    let piece = match &node.piece {
        Piece::Line(text) => Piece::Line(text.clone()),
        Piece::Nest { open, arms, between, close } => Piece::Nest {
            open: open.clone(),
            arms: arms.iter().map(|arm| change(arm)).collect(),
            between,
            close: close.clone(),
        },
    };
    Node { group: node.group, piece }
}

fn without_group(nodes: &[Node], group: Group) -> Vec<Node> {
    let kept = nodes.iter().filter(|node| node.group != Some(group));
    kept.map(|node| rebuilt(node, &mut |arm| without_group(arm, group))).collect()
}

fn remove(nodes: &[Node], number: &mut usize, first: usize, left: &mut usize) -> Vec<Node> {
    let mut kept = Vec::new();
    let mut removing = false;
    for node in nodes {
        removing |= *number == first;
        if removing && *left > 0 {
            *left -= 1;
            *number += count(std::slice::from_ref(node));
            continue;
        }
        *number += 1;
        kept.push(rebuilt(node, &mut |arm| remove(arm, number, first, left)));
    }
    kept
}

fn unwrap(nodes: &[Node], number: &mut usize, target: usize, chosen: usize) -> Vec<Node> {
    let mut kept = Vec::new();
    for node in nodes {
        let this = *number;
        *number += 1;
        let changed = rebuilt(node, &mut |arm| unwrap(arm, number, target, chosen));
        match changed.piece {
            Piece::Nest { mut arms, .. } if this == target && chosen < arms.len() => {
                kept.append(&mut arms[chosen]);
            }
            piece @ (Piece::Line(_) | Piece::Nest { .. }) => kept.push(Node { group: node.group, piece }),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Tree {
        Tree(vec![
            Node::line("a;"),
            Node::choice("c", vec![Node::line("b;").of(1)], vec![Node::line("d;"), Node::line("e;")]),
            Node::line("f;").of(1),
        ])
    }

    #[test]
    fn a_tree_prints_with_its_arms() {
        let text = "a;\nif (c) {\n    b;\n} else {\n    d;\n    e;\n}\nf;\n";
        assert_eq!(sample().to_string(), text);
        assert_eq!(sample().count(), 6);
        assert_eq!(sample().groups(), [1]);
    }

    #[test]
    fn cuts_take_out_what_they_say() {
        let after = |cut: Cut| sample().cut(cut).map(|tree| tree.to_string().replace(['\n', ' '], ""));
        assert_eq!(after(Cut::Group(1)).as_deref(), Some("a;if(c){}else{d;e;}"));
        assert_eq!(after(Cut::Group(2)), None);
        assert_eq!(after(Cut::Remove { first: 0, count: 2 }).as_deref(), Some("f;"));
        assert_eq!(after(Cut::Remove { first: 3, count: 2 }).as_deref(), Some("a;if(c){b;}else{}f;"));
        assert_eq!(after(Cut::Remove { first: 1, count: 1 }).as_deref(), Some("a;f;"));
        assert_eq!(after(Cut::Unwrap { node: 1, arm: 1 }).as_deref(), Some("a;d;e;f;"));
        assert_eq!(after(Cut::Unwrap { node: 0, arm: 0 }), None);
        assert_eq!(after(Cut::Remove { first: 6, count: 1 }), None);
    }
}
