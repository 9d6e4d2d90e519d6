//! Code of ours that the target's own interpreter runs when it starts, without a change to the target.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::Path;

/// What Python runs first. It finds it by `PYTHONPATH`, in any virtual environment.
const SITE: &str = include_str!("hooked/sitecustomize.py");

type Env = Vec<(OsString, OsString)>;

/// Lays a hook for Python into a folder. What the hook writes lies beside it.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn python(env: &[(OsString, OsString)], out: &Path, hook: &str) -> io::Result<Env> {
    let folder = out.join("hook");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("sitecustomize.py"), SITE)?;
    fs::write(folder.join("slowpath_hook.py"), hook)?;
    let mut paths = OsString::from(&folder);
    if let Some(path) = value(env, "PYTHONPATH") {
        paths.push(":");
        paths.push(path);
    }
    Ok(vec![("PYTHONPATH".into(), paths), ("SLOWPATH_OUT".into(), out.into())])
}

/// The same for Node.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn node(env: &[(OsString, OsString)], out: &Path, hook: &str) -> io::Result<Env> {
    fs::create_dir_all(out)?;
    let file = out.join("slowpath_hook.cjs");
    fs::write(&file, hook)?;
    let mut option = OsString::from("--require ");
    option.push(quoted(file.as_os_str()));
    Ok(vec![
        ("NODE_OPTIONS".into(), appended(env, "NODE_OPTIONS", &option)),
        ("SLOWPATH_OUT".into(), out.into()),
    ])
}

/// The user's own value of a variable with something behind it.
pub(crate) fn appended(env: &[(OsString, OsString)], name: &str, more: &OsStr) -> OsString {
    let mut all = value(env, name).map_or_else(OsString::new, |known| {
        let mut known = known.to_owned();
        known.push(" ");
        known
    });
    all.push(more);
    all
}

/// In the double quotes that Node takes off again; spaces and quotes of a path stay what they are.
fn quoted(path: &OsStr) -> OsString {
    let text = path.to_string_lossy();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")).into()
}

fn value<'e>(env: &'e [(OsString, OsString)], name: &str) -> Option<&'e OsStr> {
    env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_os_str()).filter(|v| !v.is_empty())
}
