//! Library functions on memory that others change: they read and write what they say they do.

use super::Generator;
use crate::tree::Node;

/// Calls on a text `T` of four bytes, a number `N` and an array `A` of two.
const CALLS: &[&str] = &[
    "strcpy(T, \"bc\");",
    "assert(strlen(T) < 3);",
    "memset(T, 'z', 2);",
    "snprintf(T, 4, \"%u\", N);",
    "snprintf(T, sizeof T, \"%s%d\", \"x\", (int)N);",
    "printf(\"%s\", T);",
    "rand_r(&N);",
    "assert(strcmp(T, \"b\") != 0);",
    "strcat(T, \"d\");",
    "N = (unsigned)atoi(T);",
    "assert(memchr(T, 'c', 4) == 0);",
    "memmove(T + 1, T, 2);",
    "T[0] = 'c';",
    "T[3] = 'c';",
    "strncpy(T, \"cd\", 3);",
    "{ char *end; N = (unsigned)strtol(T, &end, 16); assert(end != T + 2); }",
    "{ char *at = strchr(T, 'b'); if (at) *at = 'z'; }",
    "{ char own[4]; memcpy(own, T, 4); assert(own[0] != 'z' || own[1] != 'c'); }",
    "assert(memcmp(T, \"bc\", 2) != 0);",
    "{ char *copy = strdup(T); assert(copy[0] != 'c'); free(copy); }",
    "{ char own[4] = \"a,b\"; char *rest; strtok_r(own, \",\", &rest); T[0] = *rest; }",
    "A[0] = A[1]; A[1] = (int)N;",
    "qsort(A, 2, sizeof(int), UP);",
    "assert(bsearch(&(int){ 1 }, A, 2, sizeof(int), UP) != 0);",
    "sscanf(\"7\", \"%u\", &N);",
    "{ int n = 0; snprintf(T, 2, \"%n\", &n); A[0] = n + 3; }",
    "memcpy(A, &(int[2]){ 4, 5 }, sizeof A);",
    "A[1] = toupper(T[0]) == 'B';",
    "A[0] = abs(A[1] - 3);",
];

impl Generator {
    /// Functions that read and write memory of others.
    pub(super) fn library_protocol(&mut self) {
        let group = self.new_group();
        let (first, second) = self.two_bodies();
        let (text, n, a, up) = (self.fresh("text"), self.fresh("n"), self.fresh("a"), self.fresh("up"));
        self.declare(group, format!("char {text}[4] = \"a\";"));
        self.declare(group, format!("unsigned {n} = 1;"));
        self.declare(group, format!("int {a}[2] = {{ 2, 1 }};"));
        let order = vec![Node::line("return *(const int *)left - *(const int *)right;")];
        let head = format!("static int {up}(const void *left, const void *right)");
        self.functions.push(Node::block(&head, order).of(group));
        for body in [first, second] {
            let call = self.pick(CALLS);
            let call = rename(call, &[('T', &text), ('N', &n), ('A', &a)]).replace("UP", &up);
            let node = if self.mutexes.is_empty() || self.chance(35) {
                Node::line(call)
            } else {
                let mutexes = self.mutexes.clone();
                let mutex = self.pick(&mutexes);
                let (lock, unlock) = (self.lock(&mutex), self.unlock(&mutex));
                Node::nest(lock, vec![Node::line(call)], unlock)
            };
            self.insert(body, vec![node.of(group)]);
        }
        let letter = self.pick(&["a", "b", "c", "z"]);
        let claim =
            if self.chance(70) { format!("{text}[0] != '{letter}'") } else { format!("{a}[0] <= {a}[1]") };
        let node = self.assert(&claim);
        self.finals.push(node.of(group));
    }
}

/// Puts names in for capital letters that stand alone.
fn rename(text: &str, names: &[(char, &String)]) -> String {
    let bytes = text.as_bytes();
    let is_word = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut renamed = String::new();
    for (at, letter) in text.char_indices() {
        let alone =
            !is_word(at.checked_sub(1).and_then(|before| bytes.get(before))) && !is_word(bytes.get(at + 1));
        match names.iter().find(|(of, _)| alone && *of == letter) {
            Some((_, name)) => renamed.push_str(name),
            None => renamed.push(letter),
        }
    }
    renamed
}
