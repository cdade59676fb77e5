//! Matrices: columns of floating-point vectors.

use std::ops::{Add, Mul, Neg, Sub};
use std::sync::atomic::AtomicU32;

use super::memory::{Row, Stored, Zero};
use super::number::Number;
use super::vector::{Vec2, Vec3, Vec4, Vector, cross, sum};

/// C columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix<V, const C: usize>(pub [V; C]);

/// What an expression makes of each two. It is a closure that is always inlined: a function that is passed on, like `Add::add`, is
/// compiled by itself, and lacks the features that lanes need.
macro_rules! zip {
    ($a:expr, $b:expr, |$x:ident, $y:pat_param| $of:expr) => {
        zip(
            $a,
            $b,
            #[inline(always)]
            |$x, $y| $of,
        )
    };
}

#[inline(always)]
fn zip<A: Copy, B: Copy, T: Copy, const N: usize>(
    a: [A; N],
    b: [B; N],
    f: impl Fn(A, B) -> T,
) -> [T; N] {
    let (mut all, mut k) = ([f(a[0], b[0]); N], 1);
    while k < N {
        all[k] = f(a[k], b[k]);
        k += 1;
    }
    all
}

impl<V: Zero, const C: usize> Zero for Matrix<V, C> {
    const ZERO: Self = Self([V::ZERO; C]);
}

impl<V: Vector, const C: usize> Add for Matrix<V, C> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(zip!(self.0, other.0, |a, b| a + b))
    }
}

impl<V: Vector, const C: usize> Sub for Matrix<V, C> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(zip!(self.0, other.0, |a, b| a - b))
    }
}

impl<V: Vector + Neg<Output = V>, const C: usize> Neg for Matrix<V, C> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(zip!(self.0, self.0, |column, _| -column))
    }
}

macro_rules! scale {
    ($scalar:ty) => {
        impl<V: Vector<Scalar = $scalar>, const C: usize> Mul<$scalar> for Matrix<V, C> {
            type Output = Self;

            #[inline(always)]
            fn mul(self, by: $scalar) -> Self {
                Self(zip!(self.0, [by; C], |column, by| column.scale(by)))
            }
        }

        impl<V: Vector<Scalar = $scalar>, const C: usize> Mul<Matrix<V, C>> for $scalar {
            type Output = Matrix<V, C>;

            #[inline(always)]
            fn mul(self, matrix: Matrix<V, C>) -> Matrix<V, C> {
                matrix * self
            }
        }
    };
}
scale!(f32);
#[cfg(target_arch = "x86_64")]
scale!(super::lanes::F);

macro_rules! product {
    ($columns:literal, $row:ident) => {
        impl<V: Vector> Mul<$row<V::Scalar>> for Matrix<V, $columns> {
            type Output = V;

            #[inline(always)]
            fn mul(self, by: $row<V::Scalar>) -> V {
                sum(
                    zip!(self.0, by.array(), |column, by| column.scale(by)),
                    #[inline(always)]
                    |a, b| a + b,
                )
            }
        }

        impl<V: Vector> Mul<Matrix<V, $columns>> for Transposed<V> {
            type Output = $row<V::Scalar>;

            #[inline(always)]
            fn mul(self, matrix: Matrix<V, $columns>) -> $row<V::Scalar> {
                $row::from_array(zip!([self.0; $columns], matrix.0, |row, column| row.dot(column)))
            }
        }

        impl<V: Vector, const C: usize> Mul<Matrix<$row<V::Scalar>, C>> for Matrix<V, $columns> {
            type Output = Matrix<V, C>;

            #[inline(always)]
            fn mul(self, other: Matrix<$row<V::Scalar>, C>) -> Matrix<V, C> {
                Matrix(zip!([self; C], other.0, |matrix, column| matrix * column))
            }
        }
    };
}
product!(2, Vec2);
product!(3, Vec3);
product!(4, Vec4);

/// A vector as a row: what stands left of a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Transposed<V>(pub V);

/// Matrices that have others with their rows as columns.
pub trait Transpose {
    /// What these are.
    type Output;

    /// Rows as columns.
    fn transpose(self) -> Self::Output;
}

macro_rules! transpose {
    ($($columns:literal $row:ident, $rows:literal $column:ident;)*) => {
        $(impl<T: Number> Transpose for Matrix<$column<T>, $columns> {
            type Output = Matrix<$row<T>, $rows>;

            #[inline(always)]
            fn transpose(self) -> Self::Output {
                let mut columns = [$row::splat(self.0[0].x); $rows];
                let mut row = 0;
                while row < $rows {
                    let mut entries = [self.0[0].x; $columns];
                    let mut column = 0;
                    while column < $columns {
                        entries[column] = self.0[column].array()[row];
                        column += 1;
                    }
                    columns[row] = $row::from_array(entries);
                    row += 1;
                }
                Matrix(columns)
            }
        })*
    };
}
transpose! {
    2 Vec2, 2 Vec2;
    2 Vec2, 3 Vec3;
    2 Vec2, 4 Vec4;
    3 Vec3, 2 Vec2;
    3 Vec3, 3 Vec3;
    3 Vec3, 4 Vec4;
    4 Vec4, 2 Vec2;
    4 Vec4, 3 Vec3;
    4 Vec4, 4 Vec4;
}

/// Rows as columns.
#[inline(always)]
pub fn transpose<M: Transpose>(matrix: M) -> M::Output {
    matrix.transpose()
}

/// Matrices with determinants.
pub trait Square {
    /// What a determinant is.
    type Scalar;

    /// The volume that the columns span.
    fn determinant(self) -> Self::Scalar;
}

impl<T: Number> Square for Matrix<Vec2<T>, 2> {
    type Scalar = T;

    #[inline(always)]
    fn determinant(self) -> T {
        let [a, b] = self.0;
        a.x.mul(b.y).sub(b.x.mul(a.y))
    }
}

impl<T: Number> Square for Matrix<Vec3<T>, 3> {
    type Scalar = T;

    #[inline(always)]
    fn determinant(self) -> T {
        let [a, b, c] = self.0;
        a.dot(cross(b, c))
    }
}

/// The volume that the columns span.
#[inline(always)]
pub fn determinant<M: Square>(matrix: M) -> M::Scalar {
    matrix.determinant()
}

impl<V: Stored, const C: usize> Stored for Matrix<V, C> {
    const WORDS: usize = C * V::STRIDE;
    const ALIGN: usize = V::ALIGN;

    #[inline(always)]
    fn read(words: &(impl Row + ?Sized)) -> Self {
        Self(Stored::read(words))
    }

    #[inline(always)]
    fn write(self, words: &[AtomicU32]) {
        self.0.write(words);
    }
}
