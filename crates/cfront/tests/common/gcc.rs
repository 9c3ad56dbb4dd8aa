//! gcc as the judge: it compiles to assembly, from which the bytes of static objects are read. That needs no
//! headers, no libraries and no processor of the kind.

use std::io::Write;
use std::process::{Command, Stdio};

use indexmap::IndexMap;
use raddle_cfront::layout::DataModel;

use super::Complaint;

/// Whether gcc is there; says loudly if not.
#[expect(clippy::disallowed_methods, reason = "the tests ask the real compiler")]
pub fn available(test: &str) -> bool {
    let found = Command::new("gcc")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !found {
        eprintln!("SKIPPED: {test}: there is no gcc on this machine, so nothing was compared");
    }
    found
}

/// Compiles C text to assembly, or gives what gcc has to say against it.
#[expect(clippy::disallowed_methods, reason = "the tests ask the real compiler")]
pub fn compile(model: DataModel, source: &str) -> Result<String, String> {
    let machine = match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    };
    let options = [
        machine,
        "-std=gnu17",
        "-w",
        "-Wno-psabi",
        "-fno-zero-initialized-in-bss",
        "-fno-common",
        "-fno-pie",
    ];
    let mut child = Command::new("gcc")
        .args(options)
        .args(["-O0", "-S", "-x", "c", "-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // gcc may write before it has read everything.
        scope.spawn(move || input.write_all(source.as_bytes()));
        child.wait_with_output().unwrap()
    });
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// The errors in what gcc has to say.
pub fn errors(message: &str) -> Vec<Complaint> {
    let complaint = |line: &str| {
        let (place, text) = line.split_once(": error: ")?;
        Some((place.split(':').nth(1)?.parse().ok()?, text.to_owned()))
    };
    message.lines().filter_map(complaint).collect()
}

/// The bytes of every static object in an assembly text, by name. Addresses count as zeros of their size.
pub fn objects(assembly: &str) -> IndexMap<String, Vec<u8>> {
    let mut objects: IndexMap<String, Vec<u8>> = IndexMap::new();
    let mut current: Option<String> = None;
    for line in assembly.lines() {
        if let Some(label) = line.strip_suffix(':') {
            current = (!label.starts_with(char::is_whitespace)).then(|| label.to_owned());
            if let Some(name) = &current {
                objects.insert(name.clone(), Vec::new());
            }
            continue;
        }
        let Some(bytes) = current.as_ref().and_then(|name| objects.get_mut(name)) else { continue };
        let (directive, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let mut number = |width: usize| {
            let value = rest.trim().parse::<i128>().unwrap_or(0);
            bytes.extend_from_slice(&value.to_le_bytes()[..width]);
        };
        match directive {
            ".byte" => number(1),
            ".value" | ".short" => number(2),
            ".long" | ".int" => number(4),
            ".quad" => number(8),
            ".zero" | ".skip" => {
                let count = rest.split(',').next().unwrap().trim().parse::<usize>().unwrap();
                bytes.resize(bytes.len() + count, 0);
            }
            ".ascii" => bytes.extend(unescape(rest)),
            ".string" => bytes.extend(unescape(rest).into_iter().chain([0])),
            _ => {}
        }
    }
    objects
}

/// The bytes of an assembler string.
fn unescape(quoted: &str) -> Vec<u8> {
    let quoted = quoted.trim();
    let text = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(quoted).as_bytes();
    let mut bytes = Vec::new();
    let mut index = 0;
    while index < text.len() {
        if text[index] != b'\\' {
            bytes.push(text[index]);
            index += 1;
            continue;
        }
        let digits = text[index + 1..].iter().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
        if digits > 0 {
            let octal = std::str::from_utf8(&text[index + 1..index + 1 + digits]).unwrap();
            bytes.push(u8::try_from(u16::from_str_radix(octal, 8).unwrap() & 0xff).unwrap());
            index += 1 + digits;
        } else {
            bytes.push(match text[index + 1] {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'b' => 8,
                b'f' => 12,
                other => other,
            });
            index += 2;
        }
    }
    bytes
}

#[test]
fn objects_are_read_from_assembly() {
    let assembly = "\t.data\nx:\n\t.long\t-2\n\t.byte\t7\n\t.zero\t3\n\t.size x, 8\ny:\n\t.string\t\"\"\n\t.string\t\"a\\001\\\"\\n\"\n";
    let found = objects(assembly);
    assert_eq!(found["x"], [0xfe, 0xff, 0xff, 0xff, 7, 0, 0, 0]);
    assert_eq!(found["y"], [0, b'a', 1, b'"', b'\n', 0]);
}
