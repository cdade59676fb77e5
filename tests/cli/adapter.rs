//! Which adapter is taken, and what is said of it.

use super::{Folder, json, output, pliant};

/// The first line of what a run says, and the adapter of its report.
fn run(arguments: &[&str], variable: Option<&str>) -> Result<serde_json::Value, String> {
    let folder = Folder::new("adapter");
    let report = folder.path("report.json");
    let mut command = pliant();
    command.args(["run", "scenes/first.toml", "--steps", "1", "--format", "obj"]).args(arguments);
    command.arg("--out").arg(&folder.0).arg("--report").arg(&report);
    match variable {
        Some(name) => command.env("WGPU_ADAPTER_NAME", name),
        None => command.env_remove("WGPU_ADAPTER_NAME"),
    };
    let output = output(&mut command);
    match output.status.success() {
        true => Ok(json(&report)["adapter"].clone()),
        false => Err(String::from_utf8(output.stderr).unwrap()),
    }
}

/// A software driver computes only where it is named; where there is no GPU, the CPU's threads do.
#[test]
fn software_drivers_compute_only_when_they_are_named() {
    let unnamed = run(&[], None).unwrap();
    let on_threads = unnamed["name"].as_str().unwrap().starts_with("CPU, ");
    assert_eq!(unnamed["kind"] == "cpu", on_threads, "{unnamed}");
    let software = |adapter: &wgpu::Adapter| {
        let info = adapter.get_info();
        (info.device_type == wgpu::DeviceType::Cpu).then_some(info.name)
    };
    for name in pliant::adapters().iter().filter_map(software) {
        assert_eq!(run(&["--adapter", &name], None).unwrap()["name"], *name);
        assert_eq!(run(&[], Some(&name)).unwrap()["name"], *name);
        // What is said on the command line counts.
        let threads = run(&["--threads", "1"], Some(&name)).unwrap();
        assert_eq!(threads["name"], "CPU, 1 thread");
    }
}

#[test]
fn threads_are_the_cpus() {
    let both = ["--adapter", "CPU", "--threads", "1"];
    for arguments in [&["--threads", "1"][..], &["--adapter", "cpu"], &both] {
        let adapter = run(arguments, None).unwrap();
        assert!(adapter["name"].as_str().unwrap().starts_with("CPU, "), "{adapter}");
        assert_eq!((&adapter["kind"], &adapter["backend"]), (&"cpu".into(), &"threads".into()));
    }
    for (arguments, wanted) in [
        (&["--threads", "0"][..], "--threads is 0, wanted 1 to"),
        (&["--threads", "100000"], "--threads is 100000, wanted 1 to"),
        (&["--threads", "-1"], "--threads is -1, wanted 1 to"),
        (
            &["--threads", "1", "--adapter", "nvidia"],
            "--adapter is \"nvidia\", wanted \"cpu\" or none",
        ),
        (&["--adapter", "no such"], "\"CPU, "),
        (
            &["--adapter", "2"],
            "adapter is \"2\", wanted part of the name of one of the adapters, with a letter in it: ",
        ),
        (&["--threads", "two"], "wanted a whole number, at most one for each core"),
    ] {
        let said = run(arguments, None).unwrap_err();
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
}
