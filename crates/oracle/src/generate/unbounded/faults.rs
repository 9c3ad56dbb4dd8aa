//! One small fault in a program.

use raddle_base::SplitMix;

use crate::mutate;
use crate::tree::{Cut, Node, Piece, Tree};

/// The program with a fault: a statement or a discipline goes, two statements change places, or a line says something else. The
/// program as it is if the place that was drawn offers none.
pub(super) fn one(tree: &Tree, random: &mut SplitMix) -> Tree {
    for _ in 0..20 {
        let node = random.below(tree.count());
        let broken = match random.below(6) {
            // What is declared must stay in front of its uses.
            0 | 2 if is_declaration(tree, node) => None,
            0 => tree.cut(Cut::Remove { first: node, count: 1 }),
            1 => tree.cut(Cut::Unwrap { node, arm: 0 }),
            2 => changed(tree, node, &mut |nodes, at| swap(nodes, at)),
            _ => changed(tree, node, &mut |nodes, at| say_otherwise(nodes, at, random)),
        };
        // A function that is gone is called still.
        if let Some(broken) = broken.filter(|broken| heads(broken) == heads(tree)) {
            return broken;
        }
    }
    tree.clone()
}

/// Whether a line declares something, which is used elsewhere.
fn is_declaration(tree: &Tree, node: usize) -> bool {
    const TYPES: [&str; 7] = ["int ", "long ", "short ", "unsigned ", "signed ", "char ", "pthread_t "];
    let mut nodes = tree.0.clone();
    let mut declares = false;
    visit(&mut nodes, &mut 0, node, &mut |nodes, at| {
        let line = match &nodes[at].piece {
            Piece::Line(text) | Piece::Nest { open: text, .. } => text,
        };
        declares = TYPES.iter().any(|ty| line.starts_with(ty));
        true
    });
    declares
}

/// The declarations and the heads of functions.
fn heads(tree: &Tree) -> Vec<String> {
    let head = |node: &Node| match &node.piece {
        Piece::Line(text) => text.split('=').next().unwrap_or_default().to_owned(),
        Piece::Nest { open, .. } => open.clone(),
    };
    tree.0.iter().map(head).collect()
}

type Change<'c> = dyn FnMut(&mut Vec<Node>, usize) -> bool + 'c;

/// Changes the body in which a node stands; `None` if nothing changes.
fn changed(tree: &Tree, node: usize, change: &mut Change<'_>) -> Option<Tree> {
    let mut nodes = tree.0.clone();
    let mut number = 0;
    (visit(&mut nodes, &mut number, node, change) && nodes != tree.0).then_some(Tree(nodes))
}

fn visit(nodes: &mut Vec<Node>, number: &mut usize, target: usize, change: &mut Change<'_>) -> bool {
    for at in 0..nodes.len() {
        if *number == target {
            return change(nodes, at);
        }
        *number += 1;
        if let Piece::Nest { arms, .. } = &mut nodes[at].piece {
            for arm in arms {
                if visit(arm, number, target, change) {
                    return true;
                }
                if *number > target {
                    return false;
                }
            }
        }
    }
    false
}

fn swap(nodes: &mut [Node], at: usize) -> bool {
    if at + 1 < nodes.len() {
        nodes.swap(at, at + 1);
    }
    at + 1 < nodes.len()
}

fn say_otherwise(nodes: &mut [Node], at: usize, random: &mut SplitMix) -> bool {
    let line = match &mut nodes[at].piece {
        Piece::Line(text) | Piece::Nest { open: text, .. } => text,
    };
    if line.starts_with("return") || line.contains("_create(") {
        return false;
    }
    let other = mutate::token(line, random);
    match other {
        Some(other) => {
            *line = other;
            true
        }
        None => false,
    }
}
