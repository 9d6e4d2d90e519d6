//! The program that is measured.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Arg;

/// A command as it is executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Target {
    /// Program and arguments. With a shell the one argument is its text.
    pub argv: Vec<Arg>,
    /// Run through `sh -c`.
    #[serde(default)]
    pub shell: bool,
    /// Working directory; `None` is slowpath's own.
    #[serde(default)]
    pub cwd: Option<Arg>,
    /// Environment variables set for the target, on top of slowpath's own.
    #[serde(default)]
    pub env: BTreeMap<String, Arg>,
}

/// One of the commands of a sitting, with the name it is shown by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Arm {
    pub label: String,
    pub target: Target,
    /// The values of `--param` that made this command.
    #[serde(default)]
    pub params: BTreeMap<String, String>,
}
