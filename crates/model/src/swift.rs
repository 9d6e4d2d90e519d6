//! Swift's mangled names, as far as the name goes: module, types, function, labels. Types of parameters are left out, and a
//! symbol that is no function of the source keeps its own name.
//!
//! The grammar is Swift's `docs/ABI/Mangling.rst`: operators follow what they are about, identifiers bear their length, and
//! words of earlier identifiers stand as letters.

const PREFIXES: [&str; 6] = ["$s", "_$s", "$S", "_$S", "$e", "_$e"];

/// Words that later identifiers may refer to.
const MOST_WORDS: usize = 26;

/// Types and protocols of the standard library that have a letter.
const STANDARD: &str = "a Array,b Bool,D Dictionary,d Double,f Float,h Set,I DefaultIndices,i Int,J Character,N ClosedRange,\
    n Range,O ObjectIdentifier,P UnsafePointer,p UnsafeMutablePointer,q Optional,R UnsafeBufferPointer,\
    r UnsafeMutableBufferPointer,S String,s Substring,u UInt,V UnsafeRawPointer,v UnsafeMutableRawPointer,\
    W UnsafeRawBufferPointer,w UnsafeMutableRawBufferPointer,B BinaryFloatingPoint,E Encodable,e Decodable,F FloatingPoint,\
    G RandomNumberGenerator,H Hashable,j Numeric,K BidirectionalCollection,k RandomAccessCollection,L Comparable,\
    l Collection,M MutableCollection,m RangeReplaceableCollection,Q Equatable,T Sequence,t IteratorProtocol,\
    U UnsignedInteger,X RangeExpression,x Strideable,Y RawRepresentable,y StringProtocol,Z SignedInteger,z BinaryInteger";

/// The letters that operators are spelt with.
const OPERATORS: [(char, char); 16] = [
    ('a', '&'),
    ('c', '@'),
    ('d', '/'),
    ('e', '='),
    ('g', '>'),
    ('l', '<'),
    ('m', '*'),
    ('n', '!'),
    ('o', '|'),
    ('p', '+'),
    ('q', '?'),
    ('r', '%'),
    ('s', '-'),
    ('t', '~'),
    ('x', '^'),
    ('z', '.'),
];

/// What the end of a variable's symbol says.
const ACCESSORS: [(&str, &str); 6] = [
    ("vg", "getter"),
    ("vs", "setter"),
    ("vM", "modify"),
    ("vr", "read"),
    ("vw", "willset"),
    ("vW", "didset"),
];

/// How the symbols of initialisers end, behind their type.
const INITIALISERS: [&str; 6] = ["cfC", "cfc", "ufC", "ufc", "lfC", "lfc"];

/// The readable name. `None` for names of other languages, and for symbols that no function of the source is behind.
#[must_use]
pub fn demangled(name: &str) -> Option<String> {
    let rest = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))?;
    let mut reader = Reader { rest, words: Vec::new() };
    let mut path = reader.outermost()?;
    let name = reader.inner(&mut path);
    let named = reader.entity(path, name)?;
    let number = reader.rest.rsplit_once('U').and_then(|(_, number)| number.split_once('_'));
    let closure = match number {
        Some(("", _)) => Some(1),
        Some((number, _)) => number.parse::<u32>().ok().and_then(|number| number.checked_add(2)),
        None => None,
    };
    Some(closure.map_or_else(|| named.clone(), |closure| format!("closure #{closure} in {named}")))
}

struct Reader<'a> {
    rest: &'a str,
    words: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn takes(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The module, or a type of the standard library with its module.
    fn outermost(&mut self) -> Option<Vec<String>> {
        let words = |words: &[&str]| Some(words.iter().map(|word| (*word).to_owned()).collect());
        if self.takes("So") {
            return words(&["__C"]);
        }
        if self.takes("s") {
            return words(&["Swift"]);
        }
        if self.takes("S") {
            let letter = self.rest.get(..1)?;
            let known = STANDARD.split(',').find_map(|row| row.strip_prefix(letter)?.strip_prefix(' '))?;
            self.takes(letter);
            return words(&["Swift", known]);
        }
        Some(vec![self.identifier()?])
    }

    /// Types inside the module, which are added to the path, up to the first name that is none.
    fn inner(&mut self, path: &mut Vec<String>) -> Option<String> {
        loop {
            // Extensions by this module or the standard library.
            if self.takes("AAE") || self.takes("sE") {
                continue;
            }
            let name = self.identifier()?;
            self.skip_file();
            if ["C", "V", "O", "P", "a"].iter().any(|kind| self.takes(kind)) {
                path.push(name);
            } else if !self.takes("E") {
                return Some(name);
            }
        }
    }

    /// A private name is followed by that of its file.
    fn skip_file(&mut self) {
        let (rest, words) = (self.rest, self.words.len());
        if self.identifier().is_none() || !self.takes("LL") {
            self.rest = rest;
            self.words.truncate(words);
        }
    }

    fn entity(&mut self, path: Vec<String>, name: Option<String>) -> Option<String> {
        let path = path.join(".");
        if name.is_none() && (self.takes("fD") || self.takes("fd")) {
            return Some(format!("{path}.deinit"));
        }
        let operator = self.takes("oi") || self.takes("op") || self.takes("oP");
        let labels = self.labels();
        let operators = self.operators();
        let first = |wanted: &str| operators.find(wanted);
        let function = first("F");
        let before = |at: usize| function.is_none_or(|function| at < function);
        if INITIALISERS.iter().filter_map(|end| first(end)).any(before) {
            let labels: String = name.iter().chain(&labels).map(|label| format!("{label}:")).collect();
            return Some(format!("{path}.init({labels})"));
        }
        let name = if operator { spelt(&name?)? } else { name? };
        let accessor = ACCESSORS.iter().find(|(end, _)| first(end).is_some_and(before));
        if let Some((_, accessor)) = accessor {
            return Some(format!("{path}.{name}.{accessor}"));
        }
        let signature = operators.get(..function?)?.trim_end_matches(['K', 'Y', 'a', 'b']);
        let parameters = match labels.as_slice() {
            [] if signature.ends_with('y') => "()".to_owned(),
            [] => String::new(),
            labels => format!("({})", labels.iter().map(|label| format!("{label}:")).collect::<String>()),
        };
        Some(format!("{path}.{name}{parameters}"))
    }

    /// Labels of parameters; `_` has none.
    fn labels(&mut self) -> Vec<String> {
        let mut labels = Vec::new();
        loop {
            if self.takes("_") {
                labels.push("_".to_owned());
            } else if let Some(label) = self.identifier() {
                labels.push(label);
            } else {
                return labels;
            }
        }
    }

    /// What is left without its identifiers.
    fn operators(&self) -> String {
        let mut reader = Reader { rest: self.rest, words: self.words.clone() };
        let mut operators = String::new();
        while let Some(next) = reader.rest.chars().next() {
            // Behind these a number counts.
            let counts = operators.ends_with(['S', 'A', 'q', 'd', 'r', 'u', 'U', 'L', 'T', 'g', 'W']);
            if counts || reader.identifier().is_none() {
                operators.push(next);
                reader.rest = reader.rest.get(next.len_utf8()..).unwrap_or_default();
            }
        }
        operators
    }

    /// `3foo`, or with words from before `0a3Foo`: small letters stand for words, a capital for the last one.
    fn identifier(&mut self) -> Option<String> {
        let (rest, words) = (self.rest, self.words.len());
        let read = self.spelling();
        if read.is_none() {
            self.rest = rest;
            self.words.truncate(words);
        }
        read
    }

    fn spelling(&mut self) -> Option<String> {
        let mut name = String::new();
        let mut substitutes = self.takes("0");
        loop {
            while let Some(letter) =
                self.rest.bytes().next().filter(|byte| substitutes && byte.is_ascii_alphabetic())
            {
                substitutes = letter.is_ascii_lowercase();
                let first = if substitutes { b'a' } else { b'A' };
                name.push_str(self.words.get(usize::from(letter - first))?);
                self.rest = self.rest.get(1..)?;
            }
            if !name.is_empty() && self.takes("0") {
                return Some(name);
            }
            let digits = self.rest.find(|letter: char| !letter.is_ascii_digit())?;
            let (length, after) = self.rest.split_at(digits);
            // Names beyond ASCII are spelt in punycode, which begins with another nought.
            if length.is_empty() || length.starts_with('0') {
                return None;
            }
            let (part, left) = after.split_at_checked(length.parse().ok()?)?;
            self.note_words(part);
            name.push_str(part);
            self.rest = left;
            if !substitutes {
                return Some(name);
            }
        }
    }

    /// Words begin with a capital or behind an underscore, and have two letters at least.
    fn note_words(&mut self, name: &'a str) {
        let bytes = name.as_bytes();
        let mut start = None;
        for at in 0..=bytes.len() {
            let byte = bytes.get(at).copied().unwrap_or(b'_');
            let before = at.checked_sub(1).and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_uppercase);
            if let Some(from) = start.filter(|_| byte == b'_' || (byte.is_ascii_uppercase() && !before)) {
                let word = name.get(from..at).filter(|word| word.len() >= 2 && self.words.len() < MOST_WORDS);
                self.words.extend(word);
                start = None;
            }
            if start.is_none() && byte != b'_' && !byte.is_ascii_digit() {
                start = Some(at);
            }
        }
    }
}

/// An operator in its own signs.
fn spelt(letters: &str) -> Option<String> {
    let sign = |letter| OPERATORS.iter().find(|(spelt, _)| *spelt == letter).map(|(_, sign)| *sign);
    letters.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: &str) {
        assert_eq!(demangled(name).as_deref(), Some(expected), "{name}");
    }

    #[test]
    fn functions_bear_their_module_types_and_labels() {
        check("$s4main3fooyyF", "main.foo()");
        check("_$s4main5helloSSyYaKF", "main.hello()");
        check("$s4main3addyS2i_SitF", "main.add");
        check("$s3foo3barC3bas3zimyAaEC_tF", "foo.bar.bas(zim:)");
        check("$S8mangling14varargsVsArray3arr1nySid_SStF", "mangling.varargsVsArray(arr:n:)");
        check("$ss5print_9separator10terminatoryypd_S2StF", "Swift.print(_:separator:terminator:)");
        check("$sSa6appendyyxnF", "Swift.Array.append");
        check("$sSTsE3mapySayqd__Gqd__7ElementQzKXEKlF", "Swift.Sequence.map");
        check("$s3abc6testityySiFTm", "abc.testit");
        check("$s4main3FooV2eeoiySbAC_ACtFZ", "main.Foo.==");
    }

    #[test]
    fn initialisers_accessors_and_closures_are_told() {
        check("$s4main4TestC1xACSi_tc6_PRIV_Llfc", "main.Test.init(x:)");
        check("$s4main3FooCACycfC", "main.Foo.init()");
        check("$s4main3FooCfD", "main.Foo.deinit");
        check("$s4main7BalanceV5widthSdvg", "main.Balance.width.getter");
        check("$s4main3fooyyFyycfU_", "closure #1 in main.foo()");
        check("$s4main3fooyyFyycfU0_", "closure #2 in main.foo()");
        check("$s4main6secret33_7B40D7ED6632C2BEA2CA3BFFD57E3435LLyyF", "main.secret()");
    }

    #[test]
    fn words_of_earlier_names_are_put_in() {
        let scopes = "$s10Foundation15AttributeScopesO7SwiftUIE05swiftE0AcDE0D12UIAttributesVmvg";
        check(scopes, "Foundation.AttributeScopes.swiftUI.getter");
    }

    #[test]
    fn other_names_stay_as_they_are() {
        for name in
            ["main", "$s", "$s4main", "$s99main", "$s4main3FooCMa", "$s0", "$s00", "_ZN4main3fooE", "$sé"]
        {
            assert_eq!(demangled(name), None, "{name}");
        }
    }

    #[test]
    fn cut_names_harm_nobody() {
        let name = "$s10Foundation15AttributeScopesO7SwiftUIE05swiftE0AcDE0D12UIAttributesVmvgU9é_";
        for length in (0..name.len()).filter(|length| name.is_char_boundary(*length)) {
            let _ = demangled(&name[..length]);
            let _ = demangled(&format!("$s{}", &name[length..]));
        }
    }
}
