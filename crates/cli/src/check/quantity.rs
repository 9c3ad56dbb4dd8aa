//! Durations, sizes and bounds as people write them on the command line.

use std::time::Duration;

/// `60`, `60s`, `1.5`, `250ms`, `5m`, `1h`. A number alone counts seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let seconds = measured(text, &units).ok_or("give a time such as `60`, `60s`, `5m` or `1h`")?;
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| "that is too long")?;
    if duration.is_zero() { Err("the time limit must be positive".to_owned()) } else { Ok(duration) }
}

/// `4000`, `500MB`, `8GB`, `2GiB`, in bytes. A number alone counts megabytes.
pub(crate) fn memory(text: &str) -> Result<u64, String> {
    const MEGA: f64 = 1e6;
    const MEBI: f64 = 1_048_576.0;
    let units = [
        ("kib", 1024.0),
        ("mib", MEBI),
        ("gib", MEBI * 1024.0),
        ("kb", 1e3),
        ("mb", MEGA),
        ("gb", 1e9),
        ("k", 1e3),
        ("m", MEGA),
        ("g", 1e9),
        ("", MEGA),
    ];
    let bytes = measured(text, &units).ok_or("give a size such as `4000` (megabytes), `500MB` or `8GB`")?;
    // Any machine has less than 2^53 bytes, and up to there a float counts exactly.
    if !(1.0..=9e15).contains(&bytes) {
        return Err("the memory limit must be positive and at most 9 petabytes".to_owned());
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range was looked at")]
    let bytes = bytes as u64;
    Ok(bytes)
}

/// A number of things that work at the same time.
pub(crate) fn jobs(text: &str) -> Result<usize, String> {
    text.trim().parse().ok().filter(|&jobs| jobs > 0).ok_or_else(|| "the number must be positive".to_owned())
}

/// A positive number with one of some units, the longer ones first.
fn measured(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let (number, factor) =
        units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)))?;
    let number = number.trim_end();
    // Only digits and a point: no `inf`, no `1e9`, no sign.
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    number.parse::<f64>().ok().map(|number| number * factor)
}

/// `main.0:5`: the name of a loop and a bound.
pub(crate) fn loop_bound(text: &str) -> Result<(String, u32), String> {
    let parts = text.rsplit_once(':').map(|(name, bound)| (name.trim(), bound.trim()));
    match parts {
        Some((name, bound)) if !name.is_empty() => match bound.parse() {
            Ok(bound) if bound > 0 => Ok((name.to_owned(), bound)),
            _ => Err(format!("`{bound}` is no number of iterations")),
        },
        _ => Err("give the name of a loop and a number, such as `main.0:5`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        let seconds = |text| duration(text).map(|time| time.as_secs_f64());
        assert_eq!(seconds("60"), Ok(60.0));
        assert_eq!(seconds("60s"), Ok(60.0));
        assert_eq!(seconds("1.5"), Ok(1.5));
        assert_eq!(seconds("250ms"), Ok(0.25));
        assert_eq!(seconds("5m"), Ok(300.0));
        assert_eq!(seconds("1 h"), Ok(3600.0));
        for wrong in ["", "s", "-1", "5 minutes", "inf", "1e9", "0", "1.2.3", "99999999999999999999999h"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(memory("4000"), Ok(4_000_000_000));
        assert_eq!(memory("8GB"), Ok(8_000_000_000));
        assert_eq!(memory("500 mb"), Ok(500_000_000));
        assert_eq!(memory("2GiB"), Ok(2_147_483_648));
        assert_eq!(memory("1.5g"), Ok(1_500_000_000));
        for wrong in ["", "GB", "-1", "lots", "0", "9999999999GB"] {
            assert!(memory(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bounds_of_loops_are_read() {
        assert_eq!(loop_bound("main.0:5"), Ok(("main.0".to_owned(), 5)));
        assert_eq!(loop_bound("a.c:work.1:12"), Ok(("a.c:work.1".to_owned(), 12)));
        for wrong in ["main.0", "main.0:", "main.0:x", "main.0:0", ":3", ""] {
            assert!(loop_bound(wrong).is_err(), "{wrong}");
        }
    }
}
