//! What is called when a thread ends: cleanup handlers, destructors of keys; and threads that are cancelled.

use super::Generator;
use crate::tree::Node;

impl Generator {
    pub(super) fn ending_protocol(&mut self) {
        if self.is_c11() {
            return;
        }
        let group = self.new_group();
        let (x, run, call) = (self.fresh("x"), self.fresh("run"), self.fresh("ended"));
        self.declare(group, format!("_Atomic int {x};"));
        let number = 1 + self.random.below(3);
        let body = vec![Node::line(format!("{x} += argument ? {number} : 5;"))];
        self.functions.push(Node::block(&format!("static void {call}(void *argument)"), body).of(group));
        let end = self.pick(&["pthread_exit(0);", "return 0;", ""]);
        let condition = match self.random.below(3) {
            0 => format!("if ({x} == {number}) "),
            1 => "if (__VERIFIER_nondet_bool()) ".to_owned(),
            _ => String::new(),
        };
        let leave = if end.is_empty() { String::new() } else { format!("{condition}{end}") };
        let (mut between, mut setup) = (String::new(), None);
        let inner = match self.random.below(3) {
            0 => {
                let key = self.fresh("key");
                self.declare(group, format!("pthread_key_t {key};"));
                setup = Some(format!("pthread_key_create(&{key}, {call});"));
                vec![
                    Node::line(format!("pthread_setspecific({key}, &{x});")),
                    Node::line(format!("{x}++;")),
                    Node::line(leave),
                ]
            }
            1 => {
                // `return` would leave the block of the handlers.
                let leave = leave.replace("return 0;", "pthread_exit(0);");
                let pop = self.random.below(2);
                vec![Node::nest(
                    format!("pthread_cleanup_push({call}, &{x});"),
                    vec![Node::line(format!("{x}++;")), Node::line(leave), Node::line(format!("{x} += 2;"))],
                    format!("pthread_cleanup_pop({pop});"),
                )]
            }
            _ => {
                between = "pthread_cancel(handle);".to_owned();
                let off =
                    if self.chance(25) { "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);" } else { "" };
                vec![Node::nest(
                    format!("pthread_cleanup_push({call}, 0); {off}"),
                    vec![
                        Node::line(format!("{x} = {x} + 1;")),
                        Node::line("pthread_testcancel();"),
                        Node::line(format!("{x} = {x} + 2;")),
                    ],
                    "pthread_cleanup_pop(0);",
                )]
            }
        };
        let mut function = inner;
        function.push(Node::line("return 0;"));
        self.functions.push(Node::block(&format!("static void *{run}(void *argument)"), function).of(group));
        if let Some(line) = setup {
            self.setup.push(Node::line(line).of(group));
        }
        let wrong = number + self.random.below(5);
        let look = self.assert(&format!("{x} != {wrong}"));
        let nodes = vec![
            Node::line("pthread_t handle;"),
            Node::line(format!("pthread_create(&handle, 0, {run}, 0);")),
            Node::line(between),
            Node::line(if self.chance(85) { "pthread_join(handle, 0);" } else { "pthread_detach(handle);" }),
            look,
        ];
        let body = self.random.below(self.bodies.len());
        self.insert(body, vec![Node::nest("{", nodes, "}").of(group)]);
    }
}
