//! The tables that all threads of a Firefox profile share, column by column.

use std::collections::HashMap;
use std::io::{self, Write};

use model::leaf::{Charge, LEAVES};
use model::recording::{Frame, Language, Module, Owner, Recording};
use serde_json::{Value, json};

use crate::export::{name, put, put_list, shown};

/// Names and colours that the viewer knows; a position here is a frame's category.
pub(super) const CATEGORIES: [(&str, &str); 6] = [
    ("Other", "grey"),
    ("Your code", "orange"),
    ("Library", "blue"),
    ("Runtime", "purple"),
    ("Kernel", "lightblue"),
    ("Waiting", "transparent"),
];

/// The category of waits.
pub(super) const WAITING: u32 = 5;

const fn category(frame: &Frame) -> u32 {
    match (frame.owner, frame.language) {
        (Owner::Kernel, _) | (_, Language::Kernel) => 4,
        (Owner::Project, _) => 1,
        (Owner::Library, _) => 2,
        (Owner::Runtime, _) => 3,
        (Owner::Unknown, _) => 0,
    }
}

/// A function: its name, its file, its module, and whether it is JavaScript.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Function {
    name: usize,
    source: Option<usize>,
    resource: Option<u32>,
    script: bool,
}

pub(super) struct Tables {
    texts: Vec<String>,
    text_at: HashMap<String, usize>,
    /// Texts that are file names.
    sources: Vec<usize>,
    functions: Vec<Function>,
    /// The function of each frame; one more stands for frames that are not in the table.
    function_of: Vec<usize>,
    modules: Vec<usize>,
    leaves: Vec<usize>,
}

impl Tables {
    pub(super) fn new(recording: &Recording) -> Self {
        let mut tables = Self {
            texts: Vec::new(),
            text_at: HashMap::new(),
            sources: Vec::new(),
            functions: Vec::new(),
            function_of: Vec::new(),
            modules: Vec::new(),
            leaves: Vec::new(),
        };
        tables.leaves = LEAVES.iter().map(|(_, id, _)| tables.text((*id).to_owned())).collect();
        tables.modules = recording.modules.iter().map(|module| tables.text(short(&module.path))).collect();
        tables.fill(recording);
        tables
    }

    fn fill(&mut self, recording: &Recording) {
        let mut functions: HashMap<Function, usize> = HashMap::new();
        let mut sources: HashMap<usize, usize> = HashMap::new();
        for frame in &recording.frames {
            let name = self.text(name(recording, frame));
            let source = frame.file.as_deref().map(|file| {
                let text = self.text(shown(file));
                let list = &mut self.sources;
                *sources.entry(text).or_insert_with(|| pushed(list, text))
            });
            let resource = frame.module.filter(|module| (*module as usize) < recording.modules.len());
            let script = frame.language == Language::JavaScript;
            let function = Function { name, source, resource, script };
            let list = &mut self.functions;
            let at = *functions.entry(function.clone()).or_insert_with(|| pushed(list, function));
            self.function_of.push(at);
        }
        let name = self.text("[unknown]".to_owned());
        let unknown = Function { name, source: None, resource: None, script: false };
        let at = pushed(&mut self.functions, unknown);
        self.function_of.push(at);
    }

    fn text(&mut self, text: String) -> usize {
        if let Some(at) = self.text_at.get(&text) {
            return *at;
        }
        let at = pushed(&mut self.texts, text.clone());
        self.text_at.insert(text, at);
        at
    }

    /// The text of a leaf's word.
    pub(super) fn leaf(&self, leaf: Charge) -> usize {
        self.leaves.get(leaf as usize).copied().unwrap_or(0)
    }

    pub(super) fn write(&self, recording: &Recording, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{{\"stringArray\":")?;
        put_list(out, self.texts.iter())?;
        write!(out, ",\"sources\":{{\"length\":{},\"id\":", self.sources.len())?;
        put_list(out, self.sources.iter().map(|_| Value::Null))?;
        column(out, "filename", self.sources.iter())?;
        write!(out, "}},\"stackTable\":")?;
        Self::stacks(recording, out)?;
        write!(out, ",\"frameTable\":")?;
        self.frames(recording, out)?;
        write!(out, ",\"funcTable\":")?;
        self.functions(out)?;
        write!(out, ",\"resourceTable\":")?;
        // Type 1: a library.
        let modules = self.modules.len();
        let resources = json!({
            "length": modules,
            "name": self.modules,
            "lib": (0..modules).collect::<Vec<_>>(),
            "host": vec![Value::Null; modules],
            "type": vec![1; modules],
        });
        put(out, &resources)?;
        write!(
            out,
            ",\"nativeSymbols\":{{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]}}}}"
        )
    }

    /// A stack's parent stands before it in the recording, as the format wants it too.
    fn stacks(recording: &Recording, out: &mut impl Write) -> io::Result<()> {
        let unknown = recording.frames.len();
        let frame = |frame: u32| (frame as usize).min(unknown);
        write!(out, "{{\"length\":{},\"frame\":", recording.nodes.len())?;
        put_list(out, recording.nodes.iter().map(|node| frame(node.frame)))?;
        let nodes = recording.nodes.iter().enumerate();
        column(out, "prefix", nodes.map(|(at, node)| node.parent.filter(|parent| (*parent as usize) < at)))?;
        write!(out, "}}")
    }

    fn frames(&self, recording: &Recording, out: &mut impl Write) -> io::Result<()> {
        let length = self.function_of.len();
        // The last entry is the frame that is not in the table.
        let each = || (0..length).map(|at| recording.frames.get(at));
        write!(out, "{{\"length\":{length},\"func\":")?;
        put_list(out, self.function_of.iter())?;
        column(
            out,
            "address",
            each().map(|frame| address(frame?)).map(|address| address.map_or(json!(-1), Value::from)),
        )?;
        column(out, "inlineDepth", each().map(|frame| u32::from(frame.is_some_and(|frame| frame.inlined))))?;
        column(out, "category", each().map(|frame| frame.map_or(0, category)))?;
        column(out, "subcategory", each().map(|_| 0))?;
        column(out, "line", each().map(|frame| frame?.line))?;
        for empty in ["nativeSymbol", "innerWindowID", "column"] {
            column(out, empty, each().map(|_| Value::Null))?;
        }
        write!(out, "}}")
    }

    fn functions(&self, out: &mut impl Write) -> io::Result<()> {
        let each = || self.functions.iter();
        write!(out, "{{\"length\":{},\"name\":", self.functions.len())?;
        put_list(out, each().map(|function| function.name))?;
        column(out, "isJS", each().map(|function| function.script))?;
        column(out, "relevantForJS", each().map(|_| false))?;
        column(out, "resource", each().map(|function| function.resource.map_or(-1, i64::from)))?;
        column(out, "source", each().map(|function| function.source))?;
        column(out, "lineNumber", each().map(|_| Value::Null))?;
        column(out, "columnNumber", each().map(|_| Value::Null))?;
        write!(out, "}}")
    }
}

/// The viewer keeps addresses in 32 bits; larger ones are not addresses inside a file.
fn address(frame: &Frame) -> Option<u32> {
    frame.module?;
    u32::try_from(frame.offset?).ok().filter(|address| *address < u32::MAX / 2)
}

fn column<T: serde::Serialize>(
    out: &mut impl Write,
    name: &str,
    items: impl Iterator<Item = T>,
) -> io::Result<()> {
    write!(out, ",\"{name}\":")?;
    put_list(out, items)
}

fn pushed<T>(list: &mut Vec<T>, item: T) -> usize {
    list.push(item);
    list.len() - 1
}

fn short(path: &str) -> String {
    shown(path.rsplit('/').next().unwrap_or(path))
}

pub(super) fn library(module: &Module) -> Value {
    let (name, path) = (short(&module.path), shown(&module.path));
    json!({
        "arch": "",
        "name": name,
        "path": path,
        "debugName": name,
        "debugPath": path,
        "breakpadId": breakpad(module.build_id.as_deref().unwrap_or("")),
        "codeId": module.build_id.as_deref().map(shown),
    })
}

/// Symbol servers' name of a build: its first 16 bytes as a GUID, whose first three fields are little-endian, and an
/// age of nought. Empty when the build is not known.
fn breakpad(build_id: &str) -> String {
    let digits: Vec<char> =
        build_id.chars().filter(char::is_ascii_hexdigit).map(|c| c.to_ascii_uppercase()).collect();
    if digits.is_empty() {
        return String::new();
    }
    let byte = |at: usize| -> String {
        (0..2).map(|half| digits.get(at * 2 + half).copied().unwrap_or('0')).collect()
    };
    let order = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
    order.map(byte).concat() + "0"
}
