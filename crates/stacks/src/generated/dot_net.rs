//! Names of .NET's methods in a perf map: `int32 [Program] Program::Main(string[])[OptimizedTier1]`.
//!
//! Result, assembly, class, method, types of the arguments, tier, as the runtime writes them (dotnet/coreclr#12337 and
//! #24967 show whole lines). What the compiler of C# makes of one method, state machines, lambdas and local functions, gets
//! the name that stands in the source. Never seen live.

use model::recording::{Language, Owner};

use super::{Generated, nameless};

const LIBRARIES: [&str; 4] = ["System", "Microsoft.", "mscorlib", "netstandard"];

pub(super) fn decode(name: &str) -> Generated {
    let Some((assembly, class, method)) = parts(name) else {
        return nameless(name, Language::DotNet, Some(Owner::Runtime));
    };
    let library = LIBRARIES.iter().any(|start| assembly.starts_with(start));
    let owner = if library { Owner::Library } else { Owner::Project };
    nameless(&readable(class, method), Language::DotNet, Some(owner))
}

/// Assembly, class and method. `None` for stubs and whatever else is no method.
fn parts(name: &str) -> Option<(&str, &str, &str)> {
    let is_assembly = |text: &str| !text.is_empty() && !text.contains([' ', '[', '(']);
    // The result may be an array, so the first bracket need not be the assembly's.
    let starts = name.match_indices('[').map(|(at, _)| at);
    let starts = starts.filter(|at| *at == 0 || name.get(..*at).is_some_and(|before| before.ends_with(' ')));
    let (assembly, rest) = starts.into_iter().find_map(|at| {
        let (assembly, rest) = name.get(at + 1..)?.split_once("] ")?;
        is_assembly(assembly).then_some((assembly, rest))
    })?;
    let (before, _) = rest.split_once('(')?;
    let (class, method) = before.rsplit_once("::")?;
    (!class.is_empty() && !method.is_empty()).then_some((assembly, class, method))
}

/// The name in the source.
fn readable(class: &str, method: &str) -> String {
    let class = without_arguments(class);
    let mut words: Vec<String> = Vec::new();
    let mut is_machine = false;
    for part in class.split('+') {
        match made_of(part) {
            // A class that only holds what lambdas capture.
            Some(("", _)) => {}
            Some((source, _)) => {
                words.push(source.to_owned());
                is_machine = true;
            }
            None => words.push(part.to_owned()),
        }
    }
    let method = without_arguments(method);
    match made_of(&method) {
        // The method that a state machine is made of has been named already.
        None if is_machine && method == "MoveNext" => {}
        None => words.push(method),
        Some((source, made)) => {
            words.push(source.to_owned());
            if let Some(local) = made.strip_prefix("g__") {
                words.push(local.split_once('|').map_or(local, |(local, _)| local).to_owned());
            } else if made.starts_with("b__") {
                words.push("(lambda)".to_owned());
            }
        }
    }
    words.join(".")
}

/// `<Main>b__0_0`: what a part was made of, and what it was made into. `<<Main>$>g__Fib|0_0` was made in two steps.
fn made_of(part: &str) -> Option<(&str, &str)> {
    let (source, made) = part.strip_prefix('<')?.rsplit_once('>')?;
    Some((made_of(source).map_or(source, |(source, _)| source), made))
}

/// ``List`1[System.__Canon]`` without what stands for its arguments.
fn without_arguments(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut depth = 0_u32;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            '`' => while letters.next_if(char::is_ascii_digit).is_some() {},
            other if depth == 0 => kept.push(other),
            _ => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perf_map::{Maker, PerfMap};

    /// In the form of .NET 8's; addresses without `0x`, in capitals.
    const MAP: &str = "\
00007F6E2C5A1000 2d0 bool [binarytrees] BenchmarksGame.BinaryTrees::Bench(bool)[PreJIT]
00007F6E2C5A2000 10 instance void [binarytrees] BenchmarksGame.BinaryTrees+TreeNode::.ctor(int32)[QuickJitted]
00007F6E2C5A3000 40 string[] [shop] Shop.Stock::Words(string[],int32)[Optimized]
00007F6E2C5A4000 40 instance void [System.Private.CoreLib] System.Collections.Generic.List`1[System.__Canon]::Add(!0)[OptimizedTier1]
00007F6E2C5A5000 40 instance void [shop] Shop.Stock+<LoadAsync>d__3::MoveNext()[OptimizedTier1]
00007F6E2C5A6000 40 instance int32 [shop] Shop.Stock+<>c::<Prices>b__0_0(class Shop.Item)[OptimizedTier1]
00007F6E2C5A7000 40 int32 [shop] Program::<<Main>$>g__Fib|0_0(int32)[OptimizedTier1OSR]
00007F6E2C5A8000 40 void [shop] Program::<Main>$(string[])[QuickJitted]
00007F6E2C5A9000 40 instance bool [shop] Shop.Rows+Enumerator::MoveNext()[OptimizedTier1]
00007F6E2C5AA000 18 stub<1> AllocateTemporaryEntryPoints<PRECODE_FIXUP>
";

    #[test]
    fn methods_get_the_names_that_stand_in_the_source() {
        let map = PerfMap::parse(MAP.as_bytes());
        assert_eq!((map.maker(), map.bad_lines()), (Some(Maker::DotNet), 0));
        let expected = [
            ("BenchmarksGame.BinaryTrees.Bench", Owner::Project),
            ("BenchmarksGame.BinaryTrees.TreeNode..ctor", Owner::Project),
            ("Shop.Stock.Words", Owner::Project),
            ("System.Collections.Generic.List.Add", Owner::Library),
            ("Shop.Stock.LoadAsync", Owner::Project),
            ("Shop.Stock.Prices.(lambda)", Owner::Project),
            ("Program.Main.Fib", Owner::Project),
            ("Program.Main", Owner::Project),
            ("Shop.Rows.Enumerator.MoveNext", Owner::Project),
            ("stub<1> AllocateTemporaryEntryPoints<PRECODE_FIXUP>", Owner::Runtime),
        ];
        for ((function, owner), address) in expected.into_iter().zip((0x7f6e_2c5a_1000_u64..).step_by(0x1000))
        {
            let name = map.name(address + 8).unwrap();
            assert_eq!(
                decode(name),
                Generated {
                    function: function.to_owned(),
                    file: None,
                    line: None,
                    language: Language::DotNet,
                    owner: Some(owner)
                },
                "{name}"
            );
        }
    }

    #[test]
    fn odd_names_stay_as_they_are() {
        for name in ["", "[", "[a] ", "[a] ::(", "void [a b] X::y()", "] [", "<>::<>()", "[a] <b::c"] {
            assert_eq!(decode(name).function, name);
        }
    }
}
