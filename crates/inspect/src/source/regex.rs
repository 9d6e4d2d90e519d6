//! Whether a regular expression has the shape that backtracking matchers take exponential time for.

/// What is known of a group while it is read, and of the whole pattern.
#[derive(Default)]
struct Group {
    /// It holds a repetition without an upper bound, or alternatives that begin alike.
    risky: bool,
    /// What must match in every turn. Where no repetition in the group can match it, it separates the turns:
    /// `(\w+,)+` is harmless.
    fences: Vec<Atom>,
    repeated: Vec<Atom>,
    /// First letters of its alternatives so far.
    firsts: Vec<char>,
    /// Behind the first part of an alternative.
    begun: bool,
    alternatives: bool,
}

#[derive(Clone, PartialEq)]
enum Atom {
    Letter(char),
    /// A class, an escape for one, or a dot, as written.
    Class(String),
    /// Whether repeating it is dangerous, and what may match in it.
    Group(bool, Vec<Atom>),
}

/// `true` when something that can repeat stands directly in something that repeats, as in `(a+)+`, `(.*)*`, `(a|a)*`.
pub(super) fn nested_quantifier(pattern: &str) -> bool {
    let letters: Vec<char> = pattern.chars().take(2000).collect();
    let mut open: Vec<Group> = vec![Group::default()];
    let mut position = 0;
    while let Some(letter) = letters.get(position).copied() {
        let (atom, next) = match letter {
            '(' => {
                open.push(Group::default());
                position = after_prefix(&letters, position + 1);
                continue;
            }
            '|' => {
                if let Some(group) = open.last_mut() {
                    group.begun = false;
                    group.alternatives = true;
                }
                position += 1;
                continue;
            }
            ')' => {
                let closed = if open.len() > 1 { open.pop() } else { None };
                (closed.unwrap_or_default().into_atom(), position + 1)
            }
            '[' => class(&letters, position),
            '\\' => escape(&letters, position),
            '^' | '$' => {
                position += 1;
                continue;
            }
            '.' => (Atom::Class(".".to_owned()), position + 1),
            _ => (Atom::Letter(letter), position + 1),
        };
        let (unbounded, optional, behind) = quantifier(&letters, next);
        if unbounded && matches!(atom, Atom::Group(true, _)) {
            return true;
        }
        if let Some(group) = open.last_mut() {
            group.take(&atom, unbounded, optional);
        }
        position = behind.max(position + 1);
    }
    false
}

impl Group {
    fn take(&mut self, atom: &Atom, unbounded: bool, optional: bool) {
        if let (false, Atom::Letter(letter)) = (self.begun, atom) {
            // Two alternatives that begin with the same letter can be tried in many ways.
            self.risky |= self.firsts.contains(letter);
            self.firsts.push(*letter);
        }
        self.begun = true;
        let dangerous = matches!(atom, Atom::Group(true, _));
        self.risky |= unbounded || dangerous;
        if unbounded || dangerous || optional {
            self.repeated.push(atom.clone());
        } else {
            self.fences.push(atom.clone());
        }
    }

    fn into_atom(self) -> Atom {
        let separates = |fence: &Atom| !self.repeated.iter().any(|repeated| overlaps(repeated, fence));
        // A fence of one alternative does not help in another.
        let fenced = !self.alternatives && self.fences.iter().any(separates);
        let members = self.repeated.into_iter().chain(self.fences).collect();
        Atom::Group(self.risky && !fenced, members)
    }
}

/// Whether the two may match the same character; ASCII stands for all.
fn overlaps(a: &Atom, b: &Atom) -> bool {
    (0..128_u8).map(char::from).any(|letter| has(a, letter) && has(b, letter))
}

fn has(atom: &Atom, letter: char) -> bool {
    match atom {
        Atom::Letter(own) => *own == letter,
        Atom::Class(class) => class_has(class, letter),
        // Members of members were already told apart when the inner group was closed.
        Atom::Group(_, members) => members.iter().any(|member| match member {
            Atom::Letter(own) => *own == letter,
            Atom::Class(class) => class_has(class, letter),
            Atom::Group(..) => true,
        }),
    }
}

fn class_has(class: &str, letter: char) -> bool {
    match class {
        "." => true,
        "\\w" => letter.is_alphanumeric() || letter == '_',
        "\\d" => letter.is_ascii_digit(),
        "\\s" => letter.is_whitespace(),
        "\\S" => !letter.is_whitespace(),
        "\\W" => !(letter.is_alphanumeric() || letter == '_'),
        "\\D" => !letter.is_ascii_digit(),
        _ => bracket_has(class, letter),
    }
}

fn bracket_has(class: &str, letter: char) -> bool {
    let inner = class.trim_start_matches('[').trim_end_matches(']');
    let (negated, inner) = inner.strip_prefix('^').map_or((false, inner), |rest| (true, rest));
    let letters: Vec<char> = inner.chars().collect();
    let mut has = false;
    let mut position = 0;
    while let Some(first) = letters.get(position) {
        let escaped = letters.get(position + 1).filter(|_| *first == '\\');
        if let Some(escaped) = escaped {
            has |= *escaped == letter
                || "wdsSWD".contains(*escaped) && class_has(&format!("\\{escaped}"), letter);
            position += 2;
            continue;
        }
        let last = letters.get(position + 2).filter(|_| letters.get(position + 1) == Some(&'-'));
        has |= (*first..=*last.unwrap_or(first)).contains(&letter);
        position += if last.is_some() { 3 } else { 1 };
    }
    has != negated
}

/// Behind `?:`, `?P<name>`, `?=` and the like.
fn after_prefix(letters: &[char], position: usize) -> usize {
    if letters.get(position) != Some(&'?') {
        return position;
    }
    let mut end = position + 1;
    while let Some(letter) = letters.get(end) {
        match letter {
            ':' | '=' | '!' | '>' => return end + 1,
            ')' | '(' => return end,
            _ => end += 1,
        }
    }
    end
}

fn class(letters: &[char], start: usize) -> (Atom, usize) {
    let mut end = start + 1;
    if letters.get(end) == Some(&'^') {
        end += 1;
    }
    // A bracket that comes first is a member.
    if letters.get(end) == Some(&']') {
        end += 1;
    }
    while let Some(letter) = letters.get(end) {
        match letter {
            '\\' => end += 2,
            ']' => break,
            _ => end += 1,
        }
    }
    let text: String = letters.iter().skip(start).take(end + 1 - start).collect();
    (Atom::Class(text), end + 1)
}

fn escape(letters: &[char], start: usize) -> (Atom, usize) {
    let atom = match letters.get(start + 1) {
        Some(letter @ ('w' | 'd' | 's' | 'S' | 'W' | 'D')) => Atom::Class(format!("\\{letter}")),
        Some(letter) => Atom::Letter(*letter),
        None => Atom::Letter('\\'),
    };
    (atom, start + 2)
}

/// Whether what stands before is repeated without a bound, whether it may be missing, and where the pattern goes on.
fn quantifier(letters: &[char], position: usize) -> (bool, bool, usize) {
    let (unbounded, optional, mut end) = match letters.get(position) {
        Some('*') => (true, true, position + 1),
        Some('+') => (true, false, position + 1),
        Some('?') => (false, true, position + 1),
        Some('{') => {
            let inner: String =
                letters.iter().skip(position + 1).take_while(|letter| **letter != '}').take(24).collect();
            let counts =
                inner.chars().all(|letter| letter.is_ascii_digit() || letter == ',') && !inner.is_empty();
            if !counts {
                return (false, false, position);
            }
            (inner.ends_with(','), inner.starts_with('0'), position + inner.chars().count() + 2)
        }
        _ => return (false, false, position),
    };
    // `a*+` keeps what it took and never tries again.
    let possessive = letters.get(end) == Some(&'+');
    if possessive || letters.get(end) == Some(&'?') {
        end += 1;
    }
    (unbounded && !possessive, optional, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_of_a_repetition_is_seen() {
        for pattern in [
            "(a+)+$",
            "(.*)*",
            "(a|a)*",
            "^(\\w+\\s?)*$",
            "([a-zA-Z]+)*x",
            "(?:\\d+)+!",
            "((ab)*)*",
            "(x+x+)+y",
            "^(([a-z])+.)+[A-Z]",
            "(a{2,})+",
            "(foo|f)+",
            "(\\s*\\w+\\s*)+=",
            "(a\\w+)+",
            "(\\w+|,)*",
        ] {
            assert!(nested_quantifier(pattern), "{pattern}");
        }
    }

    #[test]
    fn harmless_patterns_are_left_alone() {
        for pattern in [
            "a+b+",
            "(abc)+",
            "(\\w+,)+",
            "(,\\w+)+",
            "((\\d+\\.)+,)+",
            "\\d{4}-\\d{2}",
            "(a|b)*",
            "(?:[a-z]+\\s)+",
            "[(a+)+]",
            "\\(a+\\)+",
            "(a+)?",
            "(a*+)+",
            "",
            "(",
            "[",
            "\\",
            "(?P<year>\\d+)-(?P<month>\\d+)",
            "(a+){3}",
        ] {
            assert!(!nested_quantifier(pattern), "{pattern}");
        }
    }
}
