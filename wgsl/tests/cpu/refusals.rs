//! What cannot be translated is refused, with its place in the file.

use std::path::Path;

use pliant_wgsl::Source;

use crate::cpu;

/// The message about a kernel named `bad`.
fn refusal(text: &'static str) -> String {
    let source = Source { path: "test/bad", text };
    // Nothing is written: it fails before that.
    cpu::generate(&[source], Path::new(""), &[]).unwrap_err().to_string()
}

#[test]
fn constructs_are_named_with_their_places() {
    let message = refusal(
        "@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n\
         fn packed(x: vec4f) -> u32 {\n\
             let y = x + x;\n\
             return pack4x8unorm(y);\n\
         }\n\
         @compute @workgroup_size(64) fn bad() { out[0] = packed(vec4f()); }\n",
    );
    assert_eq!(
        message,
        "wgsl/test/bad.wgsl:4: the function Pack4x8unorm cannot be translated to Rust"
    );
}

#[test]
fn barriers_in_functions_are_refused() {
    let message = refusal(
        "fn wait() {\n\
             workgroupBarrier();\n\
         }\n\
         @compute @workgroup_size(64) fn bad() { wait(); }\n",
    );
    assert!(message.starts_with("wgsl/test/bad.wgsl:2: a barrier in a function"), "{message}");
}

#[test]
fn overrides_of_other_kinds_are_refused() {
    let message = refusal(
        "override COUNT: u32 = 3u;\n\
         @group(0) @binding(0) var<storage, read_write> out: array<u32>;\n\
         @compute @workgroup_size(64)\n\
         fn bad() {\n\
             out[0] = COUNT;\n\
         }\n",
    );
    assert!(message.starts_with("wgsl/test/bad.wgsl:5: an override"), "{message}");
}

#[test]
fn what_is_invalid_is_refused_as_it_is_for_gpus() {
    let message = refusal("@compute @workgroup_size(64)\nfn bad() { let x: u32 = 1.5; }\n");
    assert!(message.starts_with("wgsl/test/bad.wgsl:2: "), "{message}");
}
