//! Which locations two threads may stand at, by control alone: whoever has not been started yet is nowhere.
//!
//! That is what keeps the main thread's first writes away from those that it starts later. Direction of error: two threads may be thought to
//! meet that never do.

use std::collections::BTreeMap;

use raddle_base::Id as _;
use raddle_flow::Flow;

use crate::found::At;

/// With more locations all are thought to meet.
const MOST: usize = 1_500;

/// Pairs of locations that two threads may stand at.
#[derive(Debug)]
pub(crate) struct Meeting {
    first: Vec<usize>,
    count: usize,
    /// None: all.
    met: Option<Vec<bool>>,
}

impl Meeting {
    /// Follows two threads along all edges.
    pub(crate) fn new(flow: &Flow) -> Self {
        let mut first = Vec::new();
        let mut count = 0;
        for template in flow.templates.values() {
            first.push(count);
            count += template.locations.len();
        }
        let mut meeting = Self { first, count, met: None };
        if count <= MOST {
            meeting.met = Some(vec![false; count * count]);
            meeting.follow(flow);
        }
        meeting
    }

    fn index(&self, (template, location): At) -> usize {
        self.first[template.index()] + location.index()
    }

    /// Whether one thread may stand here while another one stands there.
    pub(crate) fn may_meet(&self, here: At, there: At) -> bool {
        self.met.as_ref().is_none_or(|met| met[self.index(here) * self.count + self.index(there)])
    }

    fn follow(&mut self, flow: &Flow) {
        let mut edges: BTreeMap<At, Vec<(At, Option<At>)>> = BTreeMap::new();
        for (id, template) in flow.templates.iter() {
            for edge in &template.edges {
                let child = edge.spawn.as_ref();
                let child = child.map(|spawn| (spawn.template, flow.templates[spawn.template].entry));
                edges.entry((id, edge.from)).or_default().push(((id, edge.to), child));
            }
        }
        let mut open: Vec<(At, At)> = Vec::new();
        for (from, list) in &edges {
            let is_alive = self.reached(flow, *from);
            open.extend(list.iter().filter(|_| is_alive).filter_map(|(to, child)| Some((*to, (*child)?))));
        }
        while let Some((one, other)) = open.pop() {
            let (left, right) = (self.index(one), self.index(other));
            let count = self.count;
            let Some(met) = &mut self.met else { return };
            if std::mem::replace(&mut met[left * count + right], true) {
                continue;
            }
            met[right * count + left] = true;
            for (mover, stays) in [(one, other), (other, one)] {
                for &(to, child) in edges.get(&mover).into_iter().flatten() {
                    open.push((to, stays));
                    open.extend(child.map(|child| (child, stays)));
                }
            }
        }
    }

    /// Whether a template has a thread at all.
    fn reached(&self, flow: &Flow, (template, _): At) -> bool {
        template.index() == 0 || !flow.templates[template].started_at.is_empty()
    }
}
