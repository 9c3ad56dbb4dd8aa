//! The functions of threads, and how main creates and joins them.

use super::{Body, Feature, Generator};
use crate::tree::Node;

impl Generator {
    /// Decides how many threads there are and which functions they run.
    pub(super) fn declare_bodies(&mut self) {
        let count = if self.chance(72) { 2 } else { 3 };
        let same = self.has(Feature::CreateInLoop);
        self.bodies.push(Body { name: "main".to_owned(), ..Body::default() });
        let functions = if same { 1 } else { count };
        for _ in 0..functions {
            let (name, group) = (self.fresh("thread"), self.new_group());
            self.bodies.push(Body { name, group: Some(group), ..Body::default() });
        }
        self.threads = (0..count).map(|thread| if same { 1 } else { 1 + thread }).collect();
        for body in 0..self.bodies.len() {
            for _ in 0..1 + self.random.below(2) {
                let name = self.fresh("r");
                let first = self.random.below(2);
                self.bodies[body].head.push(Node::line(format!("int {name} = {first};")));
                self.bodies[body].locals.push(name);
            }
        }
        if same {
            // They differ by what they are given.
            let id = self.fresh("id");
            self.bodies[1].head.push(Node::line(format!("int {id} = *(int *)argument;")));
            self.bodies[1].locals.push(id);
        }
        if self.has(Feature::Result) {
            for body in 1..self.bodies.len() {
                self.bodies[body].result = self.bodies[body].locals.first().cloned();
            }
        }
    }

    /// A thread's function as it stands in the program.
    pub(super) fn thread_function(&mut self, body: Body) -> Node {
        let mut nodes = body.head;
        nodes.extend(body.nodes);
        let c11 = self.is_c11();
        let result = match (body.result, c11) {
            (Some(local), false) => format!("return (void *)(long){local};"),
            (Some(local), true) => format!("return {local};"),
            (None, _) => "return 0;".to_owned(),
        };
        nodes.push(Node::line(result));
        let head = if c11 { "int" } else { "void *" };
        let mut node =
            Node::block(&format!("{head}{}{}(void *argument)", if c11 { " " } else { "" }, body.name), nodes);
        node.group = body.group;
        node
    }

    fn create(&mut self, handle: &str, function: &str, argument: &str) -> String {
        if self.is_c11() {
            format!("thrd_create(&{handle}, {function}, {argument});")
        } else {
            format!("pthread_create(&{handle}, 0, {function}, {argument});")
        }
    }

    /// Waits for a thread, and perhaps looks at what it returned.
    fn join(&mut self, handle: &str) -> Node {
        let c11 = self.is_c11();
        let call = if c11 { "thrd_join" } else { "pthread_join" };
        if !self.drawn.contains(&Feature::Result) || self.chance(40) {
            return Node::line(format!("{call}({handle}, 0);"));
        }
        let (got, number) = (self.fresh("got"), self.random.below(4));
        let ty = if c11 { "int " } else { "void *" };
        let look = self.assert(&format!("(long){got} != {number}"));
        let lines = [format!("{ty}{got};"), format!("{call}({handle}, &{got});")];
        let body = lines.into_iter().map(Node::line).chain([look]).collect();
        Node::nest("{", body, "}")
    }

    fn detach(&mut self, handle: &str) -> String {
        if self.is_c11() { format!("thrd_detach({handle});") } else { format!("pthread_detach({handle});") }
    }

    pub(super) fn assemble_main(&mut self) -> Node {
        for body in 1..self.bodies.len() {
            let ty = if self.is_c11() { "int " } else { "void *" };
            let node = Node::line(format!("{ty}{}(void *argument);", self.bodies[body].name));
            let node = Node { group: self.bodies[body].group, ..node };
            self.globals.push(node);
        }
        let (creates, joins, all_joined) = if self.drawn.contains(&Feature::CreateInLoop) {
            self.create_in_loop()
        } else {
            self.create_each()
        };
        let main = self.bodies[0].clone();
        let mut nodes = main.head;
        nodes.append(&mut self.setup);
        nodes.extend(creates);
        nodes.extend(main.nodes);
        nodes.extend(joins);
        nodes.append(&mut self.finals);
        if all_joined || self.chance(20) {
            nodes.append(&mut self.teardown);
        }
        if !all_joined && self.chance(40) {
            nodes.push(Node::line(if self.is_c11() { "thrd_exit(0);" } else { "pthread_exit(0);" }));
        } else {
            nodes.push(Node::line("return 0;"));
        }
        Node::block("int main(void)", nodes)
    }

    fn handle_type(&mut self) -> &'static str {
        if self.is_c11() { "thrd_t" } else { "pthread_t" }
    }

    /// All threads run one function: created in a loop, joined in another.
    fn create_in_loop(&mut self) -> (Vec<Node>, Vec<Node>, bool) {
        let count = self.threads.len();
        let (handles, ids) = (self.fresh("t"), self.fresh("ids"));
        let ty = self.handle_type();
        let function = self.bodies[1].name.clone();
        let mut creates = vec![Node::line(format!("{ty} {handles}[{count}];"))];
        // The racy form hands over the loop's own variable.
        let shared_counter = self.chance(8);
        let argument = if shared_counter { "&i".to_owned() } else { format!("&{ids}[i]") };
        if !shared_counter {
            self.globals.push(Node::line(format!("int {ids}[3] = {{ 0, 1, 2 }};")));
        }
        let create = self.create(&format!("{handles}[i]"), &function, &argument);
        creates.push(Node::block(&format!("for (int i = 0; i < {count}; i++)"), vec![Node::line(create)]));
        if self.has(Feature::NeverJoined) && self.chance(60) {
            return (creates, Vec::new(), false);
        }
        let join = self.join(&format!("{handles}[i]"));
        let head = if self.chance(50) {
            format!("for (int i = 0; i < {count}; i++)")
        } else {
            format!("for (int i = {count} - 1; i >= 0; i--)")
        };
        (creates, vec![Node::block(&head, vec![join])], true)
    }

    /// Each thread has a function of its own.
    fn create_each(&mut self) -> (Vec<Node>, Vec<Node>, bool) {
        let count = self.threads.len();
        let ty = self.handle_type();
        let handles: Vec<String> = (0..count).map(|_| self.fresh("t")).collect();
        let (mut creates, mut joins) = (Vec::new(), Vec::new());
        for (thread, handle) in handles.iter().enumerate() {
            let group = self.bodies[1 + thread].group;
            self.globals.push(Node { group, ..Node::line(format!("{ty} {handle};")) });
        }
        let mut all_joined = true;
        let mut nested = None;
        if self.has(Feature::NestedCreate) {
            // The last thread is created by the first.
            nested = Some(count - 1);
        }
        let elsewhere = self.has(Feature::JoinedElsewhere) && nested.is_none();
        let one_by_one = self.has(Feature::OneByOne) && nested.is_none() && !elsewhere;
        let never = self.has(Feature::NeverJoined).then(|| self.random.below(count));
        for (thread, handle) in handles.iter().enumerate() {
            let group = self.bodies[1 + thread].group;
            let tagged = |text: String| Node { group, ..Node::line(text) };
            let function = self.bodies[1 + thread].name.clone();
            let create = tagged(self.create(handle, &function, "0"));
            let join = Node { group, ..self.join(handle) };
            if nested == Some(thread) {
                self.insert(1, vec![create]);
                match self.random.below(3) {
                    0 => self.bodies[1].nodes.push(join),
                    // Main waits for its creator first, which has then set the handle.
                    1 => joins.push(join),
                    _ => all_joined = false,
                }
                continue;
            }
            creates.push(create);
            if never == Some(thread) {
                all_joined = false;
                if self.chance(50) {
                    let detach = tagged(self.detach(handle));
                    creates.push(detach);
                }
            } else if elsewhere && thread == 0 {
                // The second thread may look for the handle before it is set only if it is created first.
                self.bodies[2].nodes.push(join);
            } else if one_by_one && thread == 0 {
                creates.push(join);
            } else {
                joins.push(join);
            }
        }
        if nested.is_none() && self.chance(35) {
            joins.reverse();
        }
        (creates, joins, all_joined)
    }
}
