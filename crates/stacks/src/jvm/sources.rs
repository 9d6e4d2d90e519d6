//! Which file a class was written in, and whose class it is.
//!
//! A class file names its source without a folder. The package gives the folder, and the source is looked for where
//! builds usually keep it: from the working directory and from the places of the class path upwards.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use model::recording::{Owner, is_java_library};

/// Where sources lie under a project or module.
const FOLDERS: [&str; 9] = [
    "",
    "src",
    "src/main/java",
    "src/main/kotlin",
    "src/main/scala",
    "src/test/java",
    "app/src/main/java",
    "java",
    "source",
];

/// `module/build/classes/java/main` is as deep as builds go.
const UPWARDS: usize = 5;
const MOST_PLACES: usize = 64;

/// Of one process.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// Folders that sources may lie under.
    roots: Vec<PathBuf>,
    /// Sources given on the command line.
    given: Vec<PathBuf>,
    /// The first class, with its package.
    main: Option<String>,
    found: HashMap<String, Option<String>>,
}

impl Sources {
    pub(super) fn of(pid: u32) -> Self {
        let folder = std::fs::read_link(format!("/proc/{pid}/cwd")).unwrap_or_default();
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let words: Vec<&OsStr> = line.split(|byte| *byte == 0).map(OsStr::from_bytes).collect();
        Self::new(&folder, &words)
    }

    fn new(folder: &Path, words: &[&OsStr]) -> Self {
        let command = command(words);
        let mut roots = vec![folder.to_owned()];
        for place in command.class_path.iter().filter(|place| !place.as_os_str().is_empty()) {
            let place = folder.join(place);
            roots.extend(
                place.ancestors().take(UPWARDS).filter(|root| root.parent().is_some()).map(Path::to_owned),
            );
        }
        let mut seen = std::collections::HashSet::new();
        roots.retain(|root| seen.insert(root.clone()));
        roots.truncate(MOST_PLACES);
        let given = command.given.iter().map(|source| folder.join(source)).collect();
        Self { roots, given, main: command.main, found: HashMap::new() }
    }

    /// The file, as far as it can be told, and the owner of a class.
    pub(super) fn place(&mut self, class: &str, source: Option<&str>) -> (Option<String>, Owner) {
        let package = class.rsplit_once('.').map(|(package, _)| package);
        let inner = source.map(|source| match package {
            Some(package) => format!("{}/{source}", package.replace('.', "/")),
            None => source.to_owned(),
        });
        if is_java_library(class) {
            return (inner, Owner::Library);
        }
        let file = inner.as_ref().and_then(|inner| self.find(inner));
        let own = file.is_some() || self.is_near(package);
        (file.or(inner), if own { Owner::Project } else { Owner::Library })
    }

    fn find(&mut self, inner: &str) -> Option<String> {
        if let Some(found) = self.found.get(inner) {
            return found.clone();
        }
        let given = self.given.iter().find(|given| given.ends_with(inner) && given.is_file()).cloned();
        let under = || {
            let places =
                self.roots.iter().flat_map(|root| FOLDERS.iter().map(|folder| root.join(folder).join(inner)));
            places.into_iter().find(|place| place.is_file())
        };
        let found = given.or_else(under).map(|path| path.to_string_lossy().into_owned());
        self.found.insert(inner.to_owned(), found.clone());
        found
    }

    /// Whether a package begins like that of the first class. Where that is not known, everybody is.
    fn is_near(&self, package: Option<&str>) -> bool {
        let Some(main) = &self.main else { return true };
        let beginning = |package: &str| package.splitn(3, '.').take(2).map(str::to_owned).collect::<Vec<_>>();
        let home = main.rsplit_once('.').map(|(package, _)| beginning(package));
        package.is_none() || package.map(beginning) == home
    }
}

/// What a command line says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Command {
    class_path: Vec<PathBuf>,
    given: Vec<PathBuf>,
    main: Option<String>,
}

/// Options that take the next word.
const TAKING: [&str; 9] = [
    "-p",
    "--module-path",
    "--add-modules",
    "--add-opens",
    "--add-exports",
    "--add-reads",
    "--upgrade-module-path",
    "--patch-module",
    "--limit-modules",
];

/// Only a program called `java` is understood: others have their own options.
fn command(words: &[&OsStr]) -> Command {
    let mut command = Command::default();
    let mut words = words.iter().copied();
    let program = words.next().map(Path::new).and_then(Path::file_name);
    if program.is_none_or(|name| name != "java") {
        return command;
    }
    let split = |path: &OsStr| {
        path.as_bytes()
            .split(|byte| *byte == b':')
            .map(|place| PathBuf::from(OsStr::from_bytes(place)))
            .collect()
    };
    while let Some(word) = words.next() {
        match word.to_str().unwrap_or_default() {
            "-cp" | "-classpath" | "--class-path" => {
                command.class_path = words.next().map(split).unwrap_or_default()
            }
            "-jar" => {
                command.class_path = words.next().map(split).unwrap_or_default();
                break;
            }
            "-m" | "--module" => {
                let module = words.next().and_then(OsStr::to_str);
                command.main = module.and_then(|module| Some(module.split_once('/')?.1.to_owned()));
                break;
            }
            option if TAKING.contains(&option) => drop(words.next()),
            option if option.starts_with("--class-path=") => {
                command.class_path =
                    option.split_once('=').map(|(_, path)| split(OsStr::new(path))).unwrap_or_default();
            }
            option if option.starts_with(['-', '@']) => {}
            source if source.ends_with(".java") => {
                command.given.push(PathBuf::from(source));
                break;
            }
            "" => break,
            main => {
                command.main = Some(main.replace('/', "."));
                break;
            }
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(line: &str) -> Command {
        let words: Vec<&OsStr> = line.split(' ').map(OsStr::new).collect();
        command(&words)
    }

    #[test]
    fn a_command_line_tells_class_path_and_first_class() {
        let plain = said("/usr/bin/java -Xmx1g --add-opens a=b -cp out:lib/x.jar org.me.Main -cp 3");
        assert_eq!(plain.class_path, [PathBuf::from("out"), PathBuf::from("lib/x.jar")]);
        assert_eq!(plain.main.as_deref(), Some("org.me.Main"));
        assert_eq!(said("java -m mod/org.me.Main").main.as_deref(), Some("org.me.Main"));
        assert_eq!(said("java -jar target/app.jar Main").main, None);
        assert_eq!(said("java dir/Main.java x").given, [PathBuf::from("dir/Main.java")]);
        assert_eq!(said("python java -cp out Main"), Command::default());
    }

    #[test]
    fn classes_far_from_the_first_one_and_without_a_source_are_others() {
        let words: Vec<&OsStr> = ["java", "-cp", "/nowhere/out", "org.me.app.Main"].map(OsStr::new).to_vec();
        let mut sources = Sources::new(Path::new("/nowhere"), &words);
        let mut check = |class: &str, file: &str, owner: Owner| {
            assert_eq!(sources.place(class, Some("X.java")), (Some(file.to_owned()), owner), "{class}");
        };
        check("org.me.app.X", "org/me/app/X.java", Owner::Project);
        check("org.me.other.X", "org/me/other/X.java", Owner::Project);
        check("org.they.X", "org/they/X.java", Owner::Library);
        check("java.util.X", "java/util/X.java", Owner::Library);
        check("X", "X.java", Owner::Project);
    }

    #[test]
    fn a_source_is_found_where_builds_keep_it() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("shop/src/main/java/org/me");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("X.java"), "").unwrap();
        let out = root.path().join("shop/build/classes/java/main");
        let words = [OsStr::new("java"), OsStr::new("-cp"), out.as_os_str(), OsStr::new("Main")];
        let mut sources = Sources::new(Path::new("/nowhere"), &words);
        let (file, owner) = sources.place("org.me.X", Some("X.java"));
        assert_eq!((file.as_deref(), owner), (folder.join("X.java").to_str(), Owner::Project));
    }
}
