//! Compiles the launcher (`launcher/launcher.rs`) to a static program that `src/launch.rs` embeds.

#![expect(clippy::expect_used, reason = "a build script has nobody to return an error to")]

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=launcher/launcher.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("launcher");
    let mut rustc = Command::new(env::var_os("RUSTC").expect("cargo sets RUSTC"));
    rustc.args(["--edition", "2024", "--crate-type", "bin", "--crate-name", "launcher"]);
    rustc.args([
        "-Copt-level=2",
        "-Cpanic=abort",
        "-Crelocation-model=static",
        "-Cdebuginfo=0",
        "-Cstrip=symbols",
    ]);
    rustc.args([
        "-Clink-arg=-nostdlib",
        "-Clink-arg=-nostartfiles",
        "-Clink-arg=-static",
        "-Clink-arg=-no-pie",
    ]);
    rustc.args(["-Clink-arg=-Wl,--build-id=none", "-Clink-arg=-Wl,-z,noseparate-code"]);
    rustc.arg("--target").arg(env::var_os("TARGET").expect("cargo sets TARGET"));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut option = std::ffi::OsString::from("-Clinker=");
        option.push(linker);
        rustc.arg(option);
    }
    let status =
        rustc.arg("-o").arg(&out).arg("launcher/launcher.rs").status().expect("rustc can be started");
    assert!(status.success(), "the launcher does not compile");
}
