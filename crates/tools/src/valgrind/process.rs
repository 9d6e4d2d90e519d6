//! Which process a log is of.

/// A process under valgrind, from the head of its `--log-file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub id: u32,
    pub parent: u32,
    /// The command line as valgrind quotes it.
    pub command: Vec<u8>,
}

impl Process {
    /// `None` when the log has no head, as when valgrind refused its own options.
    #[must_use]
    pub fn of(log: &[u8]) -> Option<Self> {
        let (id, _) = owner(log)?;
        let texts = log.split(|byte| *byte == b'\n').map_while(owner).map(|(_, text)| text);
        // An argument with a line break continues on lines without an owner, so the command may be cut short there;
        // the parent is then looked for further on.
        let command = texts.into_iter().find_map(|text| text.strip_prefix(b"Command: "))?;
        let texts = log.split(|byte| *byte == b'\n').filter_map(owner);
        let parent = texts.filter(|(other, _)| *other == id).find_map(|(_, text)| {
            let digits = text.strip_prefix(b"Parent PID: ")?;
            str::from_utf8(digits).ok()?.parse().ok()
        })?;
        Some(Self { id, parent, command: command.to_vec() })
    }

    /// Whether this looks like a fork of that process that executed no program of its own: its child, with the same command line.
    /// A program that executes itself again looks the same, so this is a suspicion.
    #[must_use]
    pub fn seems_forked_from(&self, parent: &Self) -> bool {
        self.parent == parent.id && self.command == parent.command
    }
}

/// The process that a line `==PID== TEXT` is of, and the text.
fn owner(line: &[u8]) -> Option<(u32, &[u8])> {
    let inside = line.strip_prefix(b"==")?;
    let end = inside.windows(2).position(|pair| pair == b"==")?;
    let (digits, rest) = inside.split_at_checked(end)?;
    let text = rest.strip_prefix(b"==")?;
    Some((str::from_utf8(digits).ok()?.parse().ok()?, text.strip_prefix(b" ").unwrap_or(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(id: u32, parent: u32, command: &str) -> Vec<u8> {
        format!(
            "=={id}== Cachegrind\n=={id}== Command: {command}\n=={id}== Parent PID: {parent}\n=={id}== \n"
        )
        .into()
    }

    #[test]
    fn a_fork_has_its_parents_command_line() {
        let parent = Process::of(&log(7, 1, "sh -c x")).unwrap();
        for (id, command, wanted) in [(7, "sh -c x", true), (7, "./work", false), (6, "sh -c x", false)] {
            let child = Process::of(&log(8, id, command)).unwrap();
            assert_eq!(child.seems_forked_from(&parent), wanted, "{id} {command}");
        }
    }

    #[test]
    fn a_line_break_in_the_command_is_survived() {
        let process = Process::of(&log(7, 1, "./a b\nc")).unwrap();
        assert_eq!((process.id, process.parent), (7, 1));
    }

    #[test]
    fn other_text_is_no_process() {
        for log in [&b""[..], b"valgrind: Unknown option\n", b"==x== Command: a\n", b"==7==", b"=="] {
            assert_eq!(Process::of(log), None);
        }
    }
}
