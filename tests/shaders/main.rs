//! The shaders themselves, without a device: what they may contain, what they share with Rust, and that every
//! language they are handed out in can express them.

mod layout;
mod rules;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pliant::internals::gpu::types::structs;
use pliant::internals::gpu::{
    Content, Source, Target, compose, compose_for, kernel_names, shader_names, sources, translate,
};

fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn every_shader_keeps_the_rules() {
    let found = |name: &'static str| {
        let found = rules::violations(name, &compose(name).text);
        found.into_iter().map(move |message| format!("{name}: {message}"))
    };
    assert_none(&shader_names().into_iter().flat_map(found).collect::<Vec<_>>());
    assert!(kernel_names().len() > 10);
}

/// A kernel `k` with this code inside, and these declarations before it.
fn kernel(declarations: &str, code: &str) -> String {
    format!(
        "@group(0) @binding(0) var<storage, read> n: array<u32>;
         @group(0) @binding(1) var<storage, read_write> a: array<f32>;
         {declarations}
         @compute @workgroup_size(64)
         fn k(@builtin(local_invocation_index) lane: u32) {{ {code} }}"
    )
}

#[test]
fn what_is_allowed_passes() {
    for code in [
        "for (var i = 0u; i < n[0]; i++) { a[i] = 1.0; }",
        "let count = n[0]; for (var i = n[1]; i < count; i++) { if a[i] > 1.0 { break; } }",
        "var count = 0u; count++; for (var i = 0u; i < count; i++) { a[i] = 1.0; }",
        "for (var i = -1; i <= 1; i++) { for (var j = 0u; j < n[lane]; j++) { continue; } }",
        "a[lane / 4u] = f32(lane % 3u) / a[0]; workgroupBarrier();",
    ] {
        assert_none(&rules::violations("k", &kernel("", code)));
    }
}

#[test]
fn every_rule_can_fail() {
    let eight: String = (2..10)
        .map(|i| format!("@group(0) @binding({i}) var<storage> b{i}: array<u32>;"))
        .collect();
    let use_eight: String = (2..10).map(|i| format!("a[{i}] = f32(b{i}[0]);")).collect();
    #[rustfmt::skip]
    let cases = [
        ("expected", kernel("", "a[lane] = ;")),
        ("workgroup size", kernel("", "").replace("(64)", "(8, 8)")),
        ("workgroup size", kernel("", "").replace("(64)", "(32)")),
        ("entry point other", kernel("", "").replace("fn k", "fn other")),
        ("9 storage buffers", kernel(&eight, &use_eight)),
        ("override", kernel("override width: u32 = 4u;", "a[width] = 1.0;")),
        ("SUBGROUP", kernel("", "a[lane] = subgroupAdd(a[lane]);")),
        ("can't be passed into functions",
            kernel("fn f(x: ptr<storage, array<f32>, read_write>) { (*x)[0] = 1.0; }", "f(&a);")),
        ("barrier outside", kernel("fn f() { workgroupBarrier(); }", "f();")),
        ("frexp or modf", kernel("", "a[lane] = modf(a[lane]).fract;")),
        ("frexp or modf", kernel("", "a[lane] = frexp(a[lane]).fract;")),
        ("!= of floats", kernel("", "if a[lane] != a[lane] { a[lane] = 0.0; }")),
        ("!= of floats", kernel("", "let v = vec2f(a[0], a[1]); if any(v != v) { a[lane] = 0.0; }")),
        ("integer division", kernel("", "a[lane] = f32(lane / n[0]);")),
        ("integer division", kernel("", "a[lane] = f32(lane % n[0]);")),
        ("integer division", kernel("", "var q = 8u; q /= lane; a[lane] = f32(q);")),
        ("integer division", kernel("", "a[lane] = f32(vec2i(1, 2).x / i32(lane));")),
        ("word while", kernel("", "var i = 0u; while i < 3u { i++; }")),
        ("word loop", kernel("", "loop { break; }")),
        ("not counted: no condition", kernel("", "for (var i = 0u;; i++) { if i > 3u { break; } }")),
        ("not counted: not counter < bound", kernel("", "for (var i = 0u; i <= n[0]; i++) { }")),
        ("not counted: not counter < bound", kernel("", "for (var i = 9u; i > 1u; i--) { }")),
        ("not counted: not counter++", kernel("", "for (var i = 0u; i < 3u; i += 2u) { }")),
        ("not counted: not counter++", kernel("", "for (var i = 0u; i < 3u; i += n[0]) { }")),
        ("not counted: not counter++", kernel("", "for (var i = 0u; i < 3u;) { }")),
        ("not counted: the body changes", kernel("", "for (var i = 0u; i < 3u; i++) { if n[i] > 2u { i = 0u; } }")),
        ("not counted: the body changes",
            kernel("", "for (var i = 0u; i < 3u; i++) { for (i = 0u; i < 2u; i++) {} }")),
        ("not counted: the body changes",
            { kernel("fn f(x: ptr<function, u32>) { *x = 0u; }", "for (var i = 0u; i < 3u; i++) { f(&i); }") }),
        ("not counted: the bound", kernel("", "var m = 3u; for (var i = 0u; i < m; i++) { m++; }")),
        ("not counted: the bound", kernel("", "for (var i = 0u; i < u32(a[0]); i++) { a[0] += 1.0; }")),
    ];
    for (wanted, text) in cases {
        let found = rules::violations("k", &text);
        assert!(
            found.iter().any(|message| message.contains(wanted)),
            "wanted {wanted} of\n{text}\nfound {found:#?}"
        );
    }
}

#[test]
fn structs_are_the_same_in_rust_and_wgsl() {
    let mut unused: BTreeSet<_> = structs().map(|shared| shared.name).collect();
    for name in shader_names() {
        let composed = compose(name).text;
        let shader = rules::parse(&composed).expect("valid");
        assert_none(&layout::differences(&shader.module));
        let words: Vec<_> = composed.split(|c: char| !c.is_alphanumeric()).collect();
        unused.retain(|name| words.iter().filter(|word| *word == name).count() < 2);
    }
    assert!(unused.is_empty(), "in no shader: {unused:?}");
}

#[test]
fn a_difference_between_structs_is_found() {
    let good =
        "struct Particle { position: vec3f, inverse_mass: f32, velocity: vec3f, damping_rate: f32 }
                @group(0) @binding(0) var<storage> p: array<Particle>;";
    let found = |text: &str| layout::differences(&rules::parse(text).expect("valid").module);
    assert_none(&found(good));
    #[rustfmt::skip]
    let cases = [
        ("damping_rate: f32", "damping_rate: f32, more: vec4f"),
        ("inverse_mass: f32", "mass: f32"),
        ("inverse_mass: f32, velocity: vec3f", "velocity: vec3f, inverse_mass: f32"),
        ("velocity: vec3f", "velocity: vec2f"),
        ("Particle", "Unknown"),
    ];
    for (from, to) in cases {
        assert!(!found(&good.replace(from, to)).is_empty(), "{from} -> {to}");
    }
}

#[test]
fn every_language_can_express_every_shader() {
    let both = |name| [Content::ALL, Content::NONE].map(|content| (name, content));
    for (name, content) in shader_names().into_iter().flat_map(both) {
        let composed = compose_for(name, content);
        assert_none(&rules::violations(name, &composed.text));
        for target in Target::ALL {
            let file = translate(&composed, target).unwrap_or_else(|error| panic!("{error}"));
            if target == Target::Spirv {
                assert_eq!(
                    file[..8],
                    [3, 2, 0x23, 7, 0, 3, 1, 0],
                    "{name}: magic number and version"
                );
                continue;
            }
            let text = String::from_utf8(file).expect("text");
            let entry = name.trim_start_matches("draw_");
            assert!(text.contains(entry), "{name}: no entry point in {target:?}");
            assert!(!text.contains("fake"), "{name}: an invented binding in {target:?}");
        }
    }
}

#[test]
fn metal_slots_count_from_zero() {
    let file = translate(&compose("half_take"), Target::Msl).expect("translates");
    let text = String::from_utf8(file).expect("text");
    for slot in [
        "sim [[buffer(0)]]",
        "particles_out [[buffer(1)]]",
        "half_velocity [[buffer(2)]]",
        "[[buffer(30)]]",
    ] {
        assert!(text.contains(slot), "no {slot} in\n{text}");
    }
}

/// The comment at a file's top.
fn header(text: &str) -> String {
    text.lines().take_while(|line| line.starts_with("//")).collect::<Vec<_>>().join(" ")
}

/// What a file's header lacks.
fn header_lacks(source: &Source, writes: &[String]) -> Vec<String> {
    let header = header(source.text);
    let mut lacks = Vec::new();
    if header.trim_start_matches('/').trim().is_empty() {
        lacks.push(format!("{}: what it is for", source.path));
    }
    let units = ["one thread", "one workgroup"];
    let is_said = |unit| header.starts_with(&format!("// {}: {unit} per ", source.name()));
    if source.text.contains("@compute") && !units.into_iter().any(is_said) {
        lacks.push(format!("{}: `{}: one thread per …`", source.path, source.name()));
    }
    for buffer in writes.iter().filter(|buffer| !header.contains(buffer.as_str())) {
        lacks.push(format!("{}: that it writes {buffer}", source.path));
    }
    lacks
}

#[test]
fn every_file_says_what_it_is_for_and_what_it_writes() {
    for source in sources() {
        let mut writes = Vec::new();
        if kernel_names().contains(&source.name()) {
            let shader = rules::parse(&compose(source.name()).text).expect("valid");
            let info = shader.info.get_entry_point(0);
            let variables = shader.module.global_variables.iter();
            let buffers = variables.filter(|(_, variable)| variable.binding.is_some());
            let written =
                buffers.filter(|(handle, _)| info[*handle].contains(naga::valid::GlobalUse::WRITE));
            writes.extend(written.filter_map(|(_, variable)| variable.name.clone()));
            let header = header(source.text).to_lowercase();
            assert!(
                header.contains("reads") || header.contains("writes"),
                "{}: reads or writes?",
                source.path
            );
        }
        assert_none(&header_lacks(source, &writes));
    }
    let silent = Source { path: "body/silent", text: "@compute fn silent() {}" };
    assert_eq!(header_lacks(&silent, &["a".into()]).len(), 3);
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("readable").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
}

#[test]
fn every_file_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("wgsl");
    let probes = root.join("tests");
    let on_disk: BTreeSet<_> = files(&root)
        .iter()
        .filter(|file| file.extension().is_some_and(|end| end == "wgsl"))
        .filter(|file| !file.starts_with(&probes))
        .map(|file| {
            let path = file.strip_prefix(&root).expect("inside");
            path.with_extension("").to_string_lossy().replace('\\', "/")
        })
        .collect();
    let known: BTreeSet<_> = sources().iter().map(|source| source.path.to_owned()).collect();
    assert_eq!(on_disk, known, "files of wgsl/ and those that wgsl/src/sources.rs lists");

    let lines = || sources().iter().flat_map(|source| source.text.lines());
    let imported: BTreeSet<_> =
        lines().filter_map(|line| line.strip_prefix("#import ")).map(str::trim).collect();
    let unused = |source: &&Source| {
        !imported.contains(source.path) && !shader_names().contains(&source.name())
    };
    let unused: Vec<_> = sources().iter().filter(unused).map(|source| source.path).collect();
    assert!(unused.is_empty(), "imported by nobody: {unused:?}");
}
