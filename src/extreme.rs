//! The greatest and the least of numbers, for folds: unlike `f64::max` and `f64::min` they let no NaN drop out.

/// The greater of two numbers, NaN where one of them is.
pub fn greatest<T: PartialOrd>(a: T, b: T) -> T {
    if is_nan(&b) || b > a { b } else { a }
}

/// The smaller of two numbers, NaN where one of them is.
pub fn least<T: PartialOrd>(a: T, b: T) -> T {
    if is_nan(&b) || b < a { b } else { a }
}

/// What is not even equal to itself.
fn is_nan<T: PartialOrd>(x: &T) -> bool {
    x.partial_cmp(x).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_nan_drops_out() {
        for place in 0..3 {
            let mut numbers = [1.0, 3.0, 2.0];
            assert_eq!(numbers.into_iter().fold(0.0, greatest), 3.0);
            assert_eq!(numbers.into_iter().fold(f64::INFINITY, least), 1.0);
            numbers[place] = f64::NAN;
            assert!(numbers.into_iter().fold(0.0, greatest).is_nan());
            assert!(numbers.into_iter().fold(f64::INFINITY, least).is_nan());
        }
    }
}
