//! Which adapter is taken, and what is said of it.

use super::{Folder, json, output, pliant};

/// Nobody computes on the CPU without having named it or having been told.
#[test]
fn the_cpu_is_not_taken_without_a_word() {
    let folder = Folder::new("adapter");
    let report = folder.0.join("report.json");
    let warning = |name: Option<&str>| {
        let mut command = pliant();
        command.args(["run", "scenes/first.toml", "--steps", "1", "--format", "obj"]);
        command.arg("--out").arg(&folder.0).arg("--report").arg(&report);
        match name {
            Some(name) => command.env("WGPU_ADAPTER_NAME", name),
            None => command.env_remove("WGPU_ADAPTER_NAME"),
        };
        let output = output(&mut command);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        said.contains("no GPU found")
    };
    let unnamed = warning(None);
    let adapter = json(&report)["adapter"].clone();
    assert_eq!(unnamed, adapter["kind"] == "cpu", "{adapter}");
    assert!(!warning(Some(adapter["name"].as_str().unwrap())));
}
