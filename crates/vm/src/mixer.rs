//! Many words in one number of 128 bits.

use raddle_base::Id;

use crate::renaming::Renaming;

/// Mixes words into 128 bits, in two lanes that do not know each other.
#[derive(Clone, Debug)]
pub(crate) struct Mixer<'r> {
    left: u64,
    right: u64,
    /// The names that threads and their objects get.
    renaming: Option<&'r Renaming>,
    /// Whether all of it was fed under those names.
    is_exact: bool,
}

/// The product's halves, folded: every bit of the result depends on every bit of the operands.
#[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product as u64) ^ ((product >> 64) as u64)
}

impl<'r> Mixer<'r> {
    pub(crate) const fn new(renaming: Option<&'r Renaming>) -> Self {
        Self { left: 0x243f_6a88_85a3_08d3, right: 0x1319_8a2e_0370_7344, renaming, is_exact: true }
    }

    /// The names that threads get, if they get others.
    pub(crate) const fn renaming(&self) -> Option<&'r Renaming> {
        self.renaming
    }

    /// What is fed has other bits under these names, and nobody knows which.
    pub(crate) const fn not_exact(&mut self) {
        self.is_exact = false;
    }

    pub(crate) const fn word(&mut self, word: u64) {
        self.left = fold(self.left ^ word, 0x9e37_79b9_7f4a_7c15).wrapping_add(word.rotate_left(17));
        self.right = fold(self.right.wrapping_add(word), 0xa409_3822_299f_31d1) ^ word.rotate_left(43);
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    pub(crate) fn id(&mut self, id: impl Id) {
        self.word(id.index() as u64);
    }

    /// Whether all was fed under the names that threads get.
    pub(crate) const fn is_exact(&self) -> bool {
        self.is_exact
    }

    pub(crate) fn finish(mut self) -> u128 {
        self.word(self.right);
        self.word(self.left);
        u128::from(self.left) << 64 | u128::from(self.right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixing_tells_order_length_and_value_apart() {
        let of = |words: &[u64]| {
            let mut mixer = Mixer::new(None);
            words.iter().for_each(|&word| mixer.word(word));
            mixer.finish()
        };
        let mut seen = rustc_hash::FxHashSet::default();
        for a in 0..100 {
            for b in 0..100 {
                assert!(seen.insert(of(&[a, b])), "{a} {b}");
                assert!(seen.insert(of(&[a, b, 0])), "{a} {b} 0");
                assert!(seen.insert(of(&[a << 56 | 1 << 20, b << 48, a])), "{a} {b} apart");
            }
        }
    }
}
