//! Words that other threads may write, several at a time.
//!
//! Rust reads and writes such words one by one. A vector move of x86-64 takes each aligned word of its operand as a whole, so that it
//! does what as many relaxed loads or stores do, in some order; the compiler does not look into it. (What Java virtual machines
//! vectorize rests on the same: its numbers must not be torn either.)

use std::arch::asm;
use std::arch::x86_64::{__m128, __m256};
use std::sync::atomic::AtomicU32;

use super::LANES;
use super::rows::QUAD;

/// Four words behind each other.
#[inline(always)]
#[allow(unsafe_code, reason = "Rust has no vectors of atomic words")]
pub(super) fn four(words: &[AtomicU32; QUAD]) -> __m128 {
    let four;
    // SAFETY: reads these words, each as a relaxed load does, and does nothing else. The words are aligned; generated
    // functions, into which this is put, are only called where there is AVX2.
    unsafe {
        asm!(
            "vmovups {}, xmmword ptr [{}]",
            lateout(xmm_reg) four,
            in(reg) words,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    four
}

/// Puts four words behind each other.
#[inline(always)]
#[allow(unsafe_code, reason = "Rust has no vectors of atomic words")]
pub(super) fn put_four(words: &[AtomicU32; QUAD], four: __m128) {
    // SAFETY: writes these words, each as a relaxed store does, and does nothing else; see `four`.
    unsafe {
        asm!(
            "vmovups xmmword ptr [{}], {}",
            in(reg) words,
            in(xmm_reg) four,
            options(nostack, preserves_flags),
        );
    }
}

fearless_simd::kernel!(
    /// Eight words behind each other.
    #[inline]
    #[allow(unsafe_code, reason = "Rust has no vectors of atomic words")]
    pub(super) fn eight(simd: Avx2, words: &[AtomicU32; LANES]) -> __m256 {
        let _ = simd;
        let eight;
        // SAFETY: as in `four`.
        unsafe {
            asm!(
                "vmovups {}, ymmword ptr [{}]",
                lateout(ymm_reg) eight,
                in(reg) words,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
        eight
    }
);

fearless_simd::kernel!(
    /// Puts eight words behind each other.
    #[inline]
    #[allow(unsafe_code, reason = "Rust has no vectors of atomic words")]
    pub(super) fn put_eight(simd: Avx2, words: &[AtomicU32; LANES], eight: __m256) {
        let _ = simd;
        // SAFETY: as in `put_four`.
        unsafe {
            asm!(
                "vmovups ymmword ptr [{}], {}",
                in(reg) words,
                in(ymm_reg) eight,
                options(nostack, preserves_flags),
            );
        }
    }
);
