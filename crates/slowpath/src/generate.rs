//! Files made from the one definition of the command line and the wire types.

use clap::CommandFactory;

use crate::cli::{Cli, Generated};
use crate::stop::Stop;

/// The text of a generated file.
pub(crate) fn generate(what: &Generated) -> Result<String, Stop> {
    let mut bytes = Vec::new();
    let mut command = Cli::command();
    match what {
        Generated::Man => {
            man(&command, &mut bytes).map_err(|error| Stop::Defect { what: error.to_string() })?;
        }
        Generated::Completions { shell } => {
            clap_complete::generate(*shell, &mut command, "slowpath", &mut bytes)
        }
        Generated::Schemas => return Ok(report::json(&report::schemas())),
    }
    String::from_utf8(bytes).map_err(|error| Stop::Defect { what: error.to_string() })
}

/// The main page, then each subcommand's.
fn man(command: &clap::Command, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    clap_mangen::Man::new(command.clone()).render(bytes)?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let page = clap_mangen::Man::new(sub.clone().bin_name(format!("slowpath {}", sub.get_name())));
        bytes.extend_from_slice(format!(".SH {}\n", sub.get_name().to_uppercase()).as_bytes());
        page.render_description_section(bytes)?;
        page.render_options_section(bytes)?;
    }
    Ok(())
}
