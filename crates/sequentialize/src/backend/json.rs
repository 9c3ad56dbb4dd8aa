//! Reading JSON strictly: what is missing or of another type is an error that names its position.

use serde_json::{Map, Value};

/// What is wrong with an answer, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ReadError {
    /// The position in the document, as in `[15].result[2].trace[31].lhs`.
    pub place: String,
    /// What is wrong there.
    pub problem: String,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(super) struct At<'a> {
    value: &'a Value,
    place: String,
}

impl<'a> At<'a> {
    /// The whole document.
    pub(super) fn document(value: &'a Value) -> Self {
        Self { value, place: String::new() }
    }

    pub(super) fn error<T>(&self, problem: impl Into<String>) -> Result<T, ReadError> {
        let place = if self.place.is_empty() { "the document".to_owned() } else { self.place.clone() };
        Err(ReadError { place, problem: problem.into() })
    }

    fn object(&self) -> Result<&'a Map<String, Value>, ReadError> {
        self.value.as_object().map_or_else(|| self.error("an object is expected"), Ok)
    }

    /// A member, if it is there.
    pub(super) fn find(&self, name: &str) -> Result<Option<Self>, ReadError> {
        let found = self.object()?.get(name);
        Ok(found.map(|value| Self { value, place: format!("{}.{name}", self.place) }))
    }

    /// A member that must be there.
    pub(super) fn member(&self, name: &str) -> Result<Self, ReadError> {
        self.find(name)?.map_or_else(|| self.error(format!("`{name}` is missing")), Ok)
    }

    /// The elements of an array.
    pub(super) fn elements(&self) -> Result<Vec<Self>, ReadError> {
        let Some(list) = self.value.as_array() else { return self.error("an array is expected") };
        let element = |(index, value)| Self { value, place: format!("{}[{index}]", self.place) };
        Ok(list.iter().enumerate().map(element).collect())
    }

    pub(super) fn text(&self) -> Result<&'a str, ReadError> {
        self.value.as_str().map_or_else(|| self.error("a string is expected"), Ok)
    }

    pub(super) fn truth(&self) -> Result<bool, ReadError> {
        self.value.as_bool().map_or_else(|| self.error("`true` or `false` is expected"), Ok)
    }

    pub(super) fn number(&self) -> Result<u32, ReadError> {
        let number = self.value.as_u64().and_then(|number| u32::try_from(number).ok());
        number.map_or_else(|| self.error("a small number is expected"), Ok)
    }

    /// A number that is written as a string.
    pub(super) fn number_in_text(&self) -> Result<u32, ReadError> {
        let number = self.text()?.parse();
        number.or_else(|_| self.error("a string that is a number is expected"))
    }
}
