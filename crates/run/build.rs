//! Compiles what `src/` embeds: the launcher (`launcher/launcher.rs`), a static program, and two libraries that the target
//! loads: the heap library (`preload/heap.rs`) and what sends V8's log nowhere (`preload/unlogged.rs`). None links anything.

#![expect(clippy::expect_used, reason = "a build script has nobody to return an error to")]

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=launcher/launcher.rs");
    println!("cargo::rerun-if-changed=preload");
    launcher();
    heap();
    library("unlogged");
}

fn launcher() {
    let mut rustc = rustc("launcher", "bin");
    rustc.args(["-Copt-level=2", "-Crelocation-model=static", "-Clink-arg=-static", "-Clink-arg=-no-pie"]);
    compile(rustc, "launcher", "launcher/launcher.rs");
}

/// Its entries are written for x86-64 alone; elsewhere there is none, and the pass says so.
fn heap() {
    if env::var_os("CARGO_CFG_TARGET_ARCH").is_none_or(|arch| arch != "x86_64") {
        std::fs::write(out("heap.so"), []).expect("OUT_DIR can be written");
        return;
    }
    library("heap");
}

fn library(name: &str) {
    let mut rustc = rustc(name, "cdylib");
    // Without link-time optimisation parts of `core` would want a runtime for panics.
    rustc.args(["-Copt-level=2", "-Clto=fat", "-Cforce-unwind-tables=no"]);
    compile(rustc, &format!("{name}.so"), &format!("preload/{name}.rs"));
}

fn rustc(name: &str, kind: &str) -> Command {
    let mut rustc = Command::new(env::var_os("RUSTC").expect("cargo sets RUSTC"));
    rustc.args(["--edition", "2024", "--crate-type", kind, "--crate-name", name]);
    rustc.args(["-Cpanic=abort", "-Cdebuginfo=0", "-Cstrip=symbols"]);
    rustc.args(["-Clink-arg=-nostdlib", "-Clink-arg=-nostartfiles"]);
    rustc.args(["-Clink-arg=-Wl,--build-id=none", "-Clink-arg=-Wl,-z,noseparate-code"]);
    rustc.arg("--target").arg(env::var_os("TARGET").expect("cargo sets TARGET"));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = OsString::from("-Clinker=");
        option.push(linker);
        rustc.arg(option);
    }
    rustc
}

fn compile(mut rustc: Command, name: &str, source: &str) {
    let status = rustc.arg("-o").arg(out(name)).arg(source).status().expect("rustc can be started");
    assert!(status.success(), "`{source}` does not compile");
}

fn out(name: &str) -> PathBuf {
    PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(name)
}
