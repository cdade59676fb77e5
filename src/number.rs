//! Numbers in words.

/// A number with four digits that mean something, without zeros at the end.
pub fn short(value: f64) -> String {
    let size = value.abs();
    if value != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{value:.3e}");
    }
    let before = if size < 1.0 { 0 } else { size.log10() as usize + 1 };
    let leading = if size < 1.0 && size > 0.0 { (-size.log10()) as usize } else { 0 };
    let text = format!("{value:.*}", (4 + leading).saturating_sub(before));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_have_four_digits() {
        let shown =
            [0.0, 1000.0, 26.9999, 0.027, 0.99987, 0.00123449, 1.23449e-6, 1.5e7].map(short);
        let wanted = ["0", "1000", "27", "0.027", "0.9999", "0.001234", "1.234e-6", "1.500e7"];
        assert_eq!(shown, wanted);
    }
}
