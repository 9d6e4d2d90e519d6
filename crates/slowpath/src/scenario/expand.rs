//! A scenario's name on the command line → the flags and the command it stands for.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};
use model::scale::PARAMETER;

use super::keys::{self, Shape};
use super::{Scenario, Scenarios, Words};
use crate::cli::{Cli, Command};
use crate::stop::Stop;

/// The command line with what its scenarios say. What the user typed wins.
pub(crate) fn expand(cli: Cli) -> Result<Cli, Stop> {
    let (subcommand, names, spelled) = match &cli.command {
        Some(Command::Why(named)) => ("why", one(named.scenario.as_deref()), named.why.argv.len()),
        Some(Command::Record(record)) => ("record", one(record.scenario.as_deref()), record.argv.len()),
        Some(Command::Scale(scale)) => ("scale", one(scale.scenario.as_deref()), scale.argv.len()),
        Some(Command::Bench(bench)) if bench.argv.is_empty() => return of_bench(cli),
        _ => return Ok(cli),
    };
    let Some(name) = names.first() else { return Ok(cli) };
    if spelled > 0 {
        return Err(Stop::usage(
            format!("the scenario `{name}` and the command after `--` contradict each other"),
            "leave one of them out",
        ));
    }
    let scenarios = super::load()?.ok_or_else(|| Stop::Usage {
        what: format!("there is no scenario `{name}`"),
        why: Some(format!("there is no `{}` in this folder or above it", super::FILE)),
        next: format!("for a command of that name: `slowpath {subcommand} -- {name}`"),
    })?;
    let scenario = scenarios.named(name).ok_or_else(|| scenarios.unknown(name))?;
    read(subcommand, &scenarios, &[scenario])
}

fn one(name: Option<&str>) -> Vec<String> {
    name.map(str::to_owned).into_iter().collect()
}

/// Words of `bench` are commands unless they name scenarios; the two do not mix, for they run differently.
fn of_bench(cli: Cli) -> Result<Cli, Stop> {
    let Some(Command::Bench(bench)) = &cli.command else { return Ok(cli) };
    let words: Vec<&str> = bench.commands.iter().filter_map(|word| word.to_str()).collect();
    // A name with a space may be a scenario's too, but a file that is not needed is not read.
    if words.is_empty() {
        return Ok(cli);
    }
    let Some(scenarios) = super::load()? else { return Ok(cli) };
    let named: Vec<&Scenario> = words.iter().filter_map(|word| scenarios.named(word)).collect();
    if named.is_empty() {
        return Ok(cli);
    }
    if named.len() != bench.commands.len() {
        return Err(Stop::usage(
            "scenarios and commands cannot be measured together",
            "write the command as a scenario too",
        ));
    }
    alike(&named)?;
    read("bench", &scenarios, &named)
}

/// One sitting has one set of hooks and streams.
fn alike(named: &[&Scenario]) -> Result<(), Stop> {
    for pair in named.windows(2) {
        let [one, other] = pair else { continue };
        let differs = keys::all()
            .filter(|key| keys::option(key).is_some_and(|key| takes(key, "bench")))
            .find(|key| one.option(key) != other.option(key));
        let differs = differs.or_else(|| (one.env != other.env).then_some("env"));
        if let Some(key) = differs {
            return Err(Stop::usage(
                format!(
                    "`{}` and `{}` differ in `{key}`, so they cannot share a sitting",
                    one.name(),
                    other.name()
                ),
                "`slowpath gate` measures each scenario in its own way",
            ));
        }
    }
    Ok(())
}

fn takes(key: &keys::Key, subcommand: &str) -> bool {
    key.only.is_empty() || key.only.contains(&subcommand)
}

/// Reads the command line again with the scenarios' flags behind it.
fn read(subcommand: &str, scenarios: &Scenarios, named: &[&Scenario]) -> Result<Cli, Stop> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let matches = Cli::command().try_get_matches_from(&typed).map_err(defect)?;
    let given = matches.subcommand_matches(subcommand);
    let Some(first) = named.first() else { return Err(Stop::Defect { what: "no scenario".to_owned() }) };
    let mut words = typed.clone();
    words.extend(flags(subcommand, scenarios, first, given));
    let shell = given.is_some_and(|given| given.get_flag("shell")) || first.option("shell").is_some();
    let mut commands = Vec::new();
    if let [only] = named {
        words.push("--".into());
        words.extend(spelled(only, subcommand, shell)?);
    } else {
        for scenario in named {
            commands.push(OsString::from(quoted(scenario, subcommand)?));
        }
    }
    let matches = Cli::command().try_get_matches_from(&words).map_err(defect)?;
    let mut cli = Cli::from_arg_matches(&matches).map_err(defect)?;
    let asked = if let [only] = named { Some(only.asked.clone()) } else { None };
    match &mut cli.command {
        Some(Command::Why(named)) => named.why.target.scenario = asked,
        Some(Command::Record(record)) => record.target.scenario = asked,
        Some(Command::Scale(scale)) => scale.target.scenario = asked,
        Some(Command::Bench(bench)) => {
            bench.target.scenario = asked;
            bench.commands = commands;
            if bench.name.is_empty() {
                bench.name = named.iter().map(|scenario| scenario.name().to_owned()).collect();
            }
        }
        _ => {}
    }
    Ok(cli)
}

/// Every value was checked when the file was read, so what the command line refuses now is our mistake or a clash of
/// the user's flags with the file's.
fn defect(error: clap::Error) -> Stop {
    let text = error.render().to_string();
    let what = text.lines().next().unwrap_or_default();
    Stop::Usage {
        what: what.strip_prefix("error: ").unwrap_or(what).to_owned(),
        why: Some("the scenario's options are added to those typed".to_owned()),
        next: "leave the flag out, or take the key out of the scenario".to_owned(),
    }
}

/// The scenario's options as flags, less those that were typed.
fn flags(
    subcommand: &str,
    scenarios: &Scenarios,
    scenario: &Scenario,
    given: Option<&ArgMatches>,
) -> Vec<OsString> {
    let typed = |name: &str| {
        let id = name.replace('-', "_");
        given.is_some_and(|given| given.value_source(&id) == Some(ValueSource::CommandLine))
    };
    let mut flags = options(scenarios.folder(), scenario, |key| takes(key, subcommand) && !typed(key.name));
    let here = std::env::current_dir().unwrap_or_default();
    if scenario.option("cwd").is_none() && !typed("cwd") && here != scenarios.folder() {
        flags.push(flag("cwd", scenarios.folder().as_os_str()));
    }
    let own: Vec<String> = given
        .and_then(|given| given.get_many::<crate::cli::parse::Variable>("env"))
        .map(|variables| variables.map(|variable| variable.name.clone()).collect())
        .unwrap_or_default();
    for (name, value) in scenario.env.iter().filter(|(name, _)| !own.contains(name)) {
        flags.push(flag("env", format!("{name}={value}").as_ref()));
    }
    flags
}

/// The options that are wanted, paths made absolute.
pub(crate) fn options(
    folder: &Path,
    scenario: &Scenario,
    wanted: impl Fn(&keys::Key) -> bool,
) -> Vec<OsString> {
    let told = scenario.options.iter().filter_map(|(name, value)| Some((keys::option(name)?, value)));
    told.filter(|(key, _)| wanted(key))
        .map(|(key, value)| match key.shape {
            Shape::Switch => format!("--{}", key.name).into(),
            _ => flag(key.name, located(folder, key.name, value).as_os_str()),
        })
        .collect()
}

fn flag(name: &str, value: &std::ffi::OsStr) -> OsString {
    let mut flag = OsString::from(format!("--{name}="));
    flag.push(value);
    flag
}

/// Paths in the file are relative to it.
fn located(folder: &Path, name: &str, value: &str) -> PathBuf {
    let is_path = match name {
        "cwd" => true,
        "stdin" | "stdout" | "stderr" => !["null", "inherit", "capture"].contains(&value),
        "golden" => value != "first" && !value.starts_with("sha256:"),
        _ => false,
    };
    if is_path { folder.join(value) } else { PathBuf::from(value) }
}

/// The command's words, the size filled in unless it is to vary.
pub(crate) fn spelled(scenario: &Scenario, subcommand: &str, shell: bool) -> Result<Vec<OsString>, Stop> {
    let words = match &scenario.command {
        Words::Text(text) if shell => vec![text.clone()],
        Words::Text(text) => {
            shlex::split(text).filter(|words| !words.is_empty()).ok_or_else(|| Stop::Usage {
                what: format!("cannot split the command of `{}` into words", scenario.name()),
                why: Some("a quote is not closed".to_owned()),
                next: "close it, write the words in brackets, or set `shell = true`".to_owned(),
            })?
        }
        Words::Spelled(words) => words.clone(),
    };
    words.into_iter().map(|word| Ok(sized(word, scenario, subcommand)?.into())).collect()
}

fn sized(word: String, scenario: &Scenario, subcommand: &str) -> Result<String, Stop> {
    let place = format!("{{{PARAMETER}}}");
    if subcommand == "scale" || !word.contains(&place) {
        return Ok(word);
    }
    match scenario.size {
        Some(size) => Ok(word.replace(&place, &size.to_string())),
        None => Err(Stop::usage(
            format!("the command of `{}` has {place} in it, and no size is named", scenario.name()),
            format!("give the scenario a `size`, or ask `slowpath scale {}`", scenario.name()),
        )),
    }
}

/// The command as one text, for commands that stand side by side.
fn quoted(scenario: &Scenario, subcommand: &str) -> Result<String, Stop> {
    let shell = scenario.option("shell").is_some();
    let words = spelled(scenario, subcommand, shell)?;
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    match words.as_slice() {
        [text] if shell => Ok(text.clone()),
        words => shlex::try_join(words.iter().map(String::as_str))
            .map_err(|error| Stop::Defect { what: format!("a command cannot be quoted: {error}") }),
    }
}
