//! Files of certificates: what was proved without bounds about a program, and what is needed to build that program again.

use raddle_engines::{Evidence, Outcome, Verdict};
use raddle_ir::Property;
use raddle_proof::Statement;
use raddle_vm::trace::ProgramInfo;
use serde::{Deserialize, Serialize};

/// What tells such a file from others.
const FORMAT: &str = "raddle-certificate";
/// The version of the form. Others are refused.
const VERSION: u32 = 1;

/// What a file holds.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CertificateFile {
    format: String,
    version: u32,
    /// Who wrote it.
    tool: String,
    /// How the program is built.
    pub(crate) program: ProgramInfo,
    /// What is proved about it. All together: a thread that breaks one of the properties takes no more steps in the proofs of the others.
    pub(crate) proofs: Vec<Statement>,
}

impl CertificateFile {
    /// What of an outcome is proved by certificates, and which properties are proved by other means.
    pub(crate) fn of(outcome: &Outcome, program: &ProgramInfo) -> (Self, Vec<Property>) {
        let (mut proofs, mut others) = (Vec::new(), Vec::new());
        for answer in &outcome.answers {
            let Verdict::Safe(evidence) = &answer.verdict else { continue };
            let kept = match evidence {
                Evidence::Proved(proof) => proof.certificate(),
                Evidence::FullyUnrolled | Evidence::Enumerated => None,
                Evidence::Bounded(_) => continue,
            };
            match kept.map(Statement::from_text) {
                Some(Ok(statement)) => proofs.push(statement),
                Some(Err(_)) | None => others.push(answer.property),
            }
        }
        let tool = concat!("raddle ", env!("CARGO_PKG_VERSION")).to_owned();
        let program = program.clone();
        (Self { format: FORMAT.to_owned(), version: VERSION, tool, program, proofs }, others)
    }

    /// As text, with a line end.
    pub(crate) fn text(&self) -> String {
        let mut text = serde_json::to_string(self).expect("a certificate is plain data");
        text.push('\n');
        text
    }

    /// What [`text`](Self::text) makes, or why it is nothing of the kind.
    pub(crate) fn from_text(text: &str) -> Result<Self, String> {
        /// What every version has.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let refuse = |why: String| format!("not a certificate: {why}");
        let head: Head = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
        if head.format != FORMAT {
            return Err(refuse(format!("its format is `{}`", head.format)));
        }
        if head.version != VERSION {
            return Err(format!(
                "certificates of version {} are not known; version {VERSION} is",
                head.version
            ));
        }
        let file: Self = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
        if file.proofs.is_empty() || file.proofs.iter().any(|statement| statement.asked.is_empty()) {
            return Err(refuse("it proves nothing".to_owned()));
        }
        Ok(file)
    }
}
