//! What was asked, ready to be carried out: arms from commands and parameters, recipes from arms.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use model::{Arg, Arm, Target};
use run::Recipe;
use run::launch::Layout;
use run::stdio::{Input, Output};

use crate::cli::TargetOptions;
use crate::cli::parse::{Parameter, Stream, words};
use crate::stop::Stop;

/// One command of a request, before parameters are filled in.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    argv: Vec<OsString>,
    label: String,
}

impl Written {
    /// A quoted command: split into words, or left whole for the shell.
    pub(crate) fn quoted(command: &OsString, shell: bool) -> Result<Self, Stop> {
        let label = command.to_string_lossy().into_owned();
        if shell {
            return Ok(Self { argv: vec![command.clone()], label });
        }
        match words(command) {
            Some(argv) if !argv.is_empty() => Ok(Self { argv, label }),
            Some(_) => {
                Err(Stop::usage("a command is empty", "name a program, as in `slowpath bench 'sort a'`"))
            }
            None => Err(Stop::Usage {
                what: format!("cannot split the command `{label}` into words"),
                why: Some("a quote is not closed".to_owned()),
                next: "close it, or use `--shell` for shell text".to_owned(),
            }),
        }
    }

    /// The command as one would type it, parameters and all.
    pub(crate) fn label(&self) -> &str {
        &self.label
    }

    /// A command given word by word after `--`.
    pub(crate) fn spelled(argv: &[OsString], shell: bool) -> Self {
        let label = argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        if shell {
            let text = argv.iter().map(|word| word.as_bytes()).collect::<Vec<_>>().join(&b' ');
            return Self { argv: vec![OsString::from_vec(text)], label };
        }
        Self { argv: argv.to_vec(), label }
    }
}

/// A word as one would type it.
pub(crate) fn quoted(word: &OsStr) -> String {
    let text = word.to_string_lossy();
    // Shells expand braces only around a comma or two dots; `{SIZE}` is typed as it stands.
    let bare = |c: char| c.is_ascii_alphanumeric() || "-_./=:+@%{}".contains(c);
    if text.chars().all(bare) && !text.is_empty() && !(text.contains('{') && text.contains("..")) {
        return text.into_owned();
    }
    shlex::try_quote(&text).map_or_else(|_| text.clone().into_owned(), std::borrow::Cow::into_owned)
}

/// Every command with every combination of parameter values.
pub(crate) fn arms(
    commands: &[Written],
    parameters: &[Parameter],
    names: &[String],
    options: &TargetOptions,
) -> Result<Vec<Arm>, Stop> {
    for parameter in parameters {
        let place = format!("{{{}}}", parameter.name);
        let used = commands.iter().any(|command| command.argv.iter().any(|word| holds(word, &place)));
        if !used {
            return Err(Stop::usage(
                format!("no command uses the parameter `{}`", parameter.name),
                format!("write `{place}` where its value belongs"),
            ));
        }
    }
    if names.len() > commands.len() {
        return Err(Stop::usage(
            "there are more names than commands",
            "give each command at most one `--name`",
        ));
    }
    let mut arms = Vec::new();
    for params in combinations(parameters) {
        for (index, command) in commands.iter().enumerate() {
            let arm = arm(command, names.get(index), &params, options);
            arms.push(Arm { label: unused(&arm.label, &arms), ..arm });
        }
    }
    Ok(arms)
}

/// A process that runs already, as an arm.
pub(crate) fn running(pid: u32) -> Arm {
    let argv: Vec<Arg> = run::process::command_line(pid).into_iter().map(Arg::from).collect();
    let label = match argv.first() {
        Some(program) => format!("{} (process {pid})", program.lossy()),
        None => format!("process {pid}"),
    };
    let cwd = std::fs::read_link(format!("/proc/{pid}/cwd")).ok().map(|cwd| Arg::from(cwd.into_os_string()));
    Arm { label, target: Target { argv, shell: false, cwd, env: BTreeMap::new() }, params: BTreeMap::new() }
}

/// A label that no other arm has: results are named by it.
fn unused(label: &str, arms: &[Arm]) -> String {
    let free = |wanted: &String| arms.iter().all(|arm| arm.label != *wanted);
    let numbered = (2..).map(|number| format!("{label} ({number})"));
    std::iter::once(label.to_owned()).chain(numbered).find(free).unwrap_or_default()
}

fn arm(
    command: &Written,
    name: Option<&String>,
    params: &BTreeMap<String, String>,
    options: &TargetOptions,
) -> Arm {
    let argv = command.argv.iter().map(|word| Arg::from(filled(word, params))).collect();
    let mut label = filled(OsStr::new(name.unwrap_or(&command.label)), params).to_string_lossy().into_owned();
    if name.is_some() && !params.is_empty() {
        let values: Vec<String> = params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        label = format!("{label} {}", values.join(" "));
    }
    Arm {
        label,
        target: Target {
            argv,
            shell: options.shell,
            cwd: options.cwd.clone().map(|cwd| Arg::from(cwd.into_os_string())),
            env: options.env.iter().map(|v| (v.name.clone(), Arg::from(v.value.as_str()))).collect(),
        },
        params: params.clone(),
    }
}

fn combinations(parameters: &[Parameter]) -> Vec<BTreeMap<String, String>> {
    parameters.iter().fold(vec![BTreeMap::new()], |so_far, parameter| {
        so_far
            .iter()
            .flat_map(|chosen| {
                parameter.values.iter().map(|value| {
                    let mut chosen = chosen.clone();
                    chosen.insert(parameter.name.clone(), value.clone());
                    chosen
                })
            })
            .collect()
    })
}

/// `{name}` replaced by its value wherever it stands; other braces are the command's own.
pub(crate) fn filled(word: &OsStr, params: &BTreeMap<String, String>) -> OsString {
    let mut bytes = word.as_bytes().to_vec();
    for (name, value) in params {
        let place = format!("{{{name}}}");
        let mut from = 0;
        while let Some(at) = find(bytes.get(from..).unwrap_or_default(), place.as_bytes()) {
            bytes.splice(from + at..from + at + place.len(), value.bytes());
            from += at + value.len();
        }
    }
    OsString::from_vec(bytes)
}

fn holds(word: &OsStr, place: &str) -> bool {
    find(word.as_bytes(), place.as_bytes()).is_some()
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

/// How each run of an arm is started.
pub(crate) fn recipe(arm: &Arm, options: &TargetOptions, stdout: Option<&Path>) -> Result<Recipe, Stop> {
    let target = &arm.target;
    let argv: Vec<OsString> = if target.shell {
        let text = target.argv.first().map(|text| text.as_os_str().to_owned()).unwrap_or_default();
        vec!["sh".into(), "-c".into(), text]
    } else {
        target.argv.iter().map(|arg| arg.as_os_str().to_owned()).collect()
    };
    let additions: Vec<(&OsStr, &OsStr)> =
        target.env.iter().map(|(name, value)| (OsStr::new(name), value.as_os_str())).collect();
    let env = run::launch::environment(additions);
    let cwd = target.cwd.as_ref().map(|cwd| PathBuf::from(cwd.as_os_str()));
    Ok(Recipe {
        path: program(argv.first().map(OsString::as_os_str).unwrap_or_default(), &env, cwd.as_deref())?,
        argv,
        env,
        cwd,
        stdin: input(&options.stdin)?,
        stdout: stdout.map_or_else(|| output(&options.stdout), |path| Output::File(path.to_owned())),
        stderr: output(&options.stderr),
        timeout: options.timeout,
        layout: Layout::Random,
    })
}

pub(crate) fn program(
    name: &OsStr,
    env: &[(OsString, OsString)],
    cwd: Option<&Path>,
) -> Result<PathBuf, Stop> {
    let path = env.iter().find(|(name, _)| name == "PATH").map(|(_, path)| path.clone()).unwrap_or_default();
    run::host::resolve(name, &path, cwd).map_err(|reason| Stop::NoProgram {
        program: name.to_string_lossy().into_owned(),
        why: reason.to_string(),
        next: reason.next(),
    })
}

fn input(stream: &Stream) -> Result<Input, Stop> {
    match stream {
        Stream::Null => Ok(Input::Null),
        Stream::Inherit => Ok(Input::Inherit),
        Stream::File(path) => Ok(Input::File(path.clone())),
        Stream::Capture => {
            Err(Stop::usage("standard input cannot be captured", "`--stdin null`, `inherit` or a file"))
        }
    }
}

fn output(stream: &Stream) -> Output {
    match stream {
        Stream::Null => Output::Null,
        Stream::Inherit => Output::Inherit,
        Stream::Capture => Output::Capture,
        Stream::File(path) => Output::File(path.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_fill_only_their_own_braces() {
        let params = BTreeMap::from([("n".to_owned(), "{n}".to_owned()), ("k".to_owned(), "7".to_owned())]);
        assert_eq!(filled(OsStr::new("a{n}b{k}{print}"), &params), "a{n}b7{print}");
        let bytes = OsStr::from_bytes(b"\xff{k}");
        assert_eq!(filled(bytes, &params).as_bytes(), b"\xff7");
    }

    #[test]
    fn words_are_quoted_only_where_a_shell_would_change_them() {
        for word in ["{SIZE}", "--benchmark-max-time=0.2", "./quad", "8000", "a@b:c"] {
            assert_eq!(quoted(OsStr::new(word)), word);
        }
        for word in ["", "a b", "{a,b}", "{1..9}", "$HOME", "*.c", "~"] {
            assert_ne!(quoted(OsStr::new(word)), word);
        }
    }

    #[test]
    fn combinations_are_a_product() {
        let parameter =
            |name: &str| Parameter { name: name.to_owned(), values: vec!["1".into(), "2".into()] };
        assert_eq!(combinations(&[parameter("a"), parameter("b")]).len(), 4);
        assert_eq!(combinations(&[]).len(), 1);
    }
}
