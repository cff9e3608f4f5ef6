//! The command line.

use std::path::PathBuf;

use crate::theme::Palette;

/// Watches a Morpion server from the terminal: live games, move by move.
///
/// On the server's own machine it needs no arguments: it finds the operator token that the server
/// wrote at its first start. For another server, make a token there with `morpion token create`.
#[derive(Debug, Clone, Default, clap::Parser)]
#[command(name = "morpion-tui", version)]
pub struct Args {
    /// The server's address [default: http://127.0.0.1:8080]
    #[arg(long, value_name = "URL", env = "MORPION_TUI_SERVER")]
    pub server: Option<String>,

    /// The operator token. Other users of this machine can see it; --token-file hides it
    #[arg(
        long,
        value_name = "TOKEN",
        env = "MORPION_TUI_TOKEN",
        hide_env_values = true,
        conflicts_with = "token_file"
    )]
    pub token: Option<String>,

    /// A file that holds the operator token
    #[arg(long, value_name = "FILE", env = "MORPION_TUI_TOKEN_FILE")]
    pub token_file: Option<PathBuf>,

    /// Draw without colours. So does a NO_COLOR that is not empty
    #[arg(long)]
    pub no_color: bool,

    /// The colours: auto looks at what the terminal says of itself
    #[arg(long, value_enum, value_name = "THEME")]
    pub theme: Option<Palette>,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub ascii: bool,

    /// The configuration file [default: ./config/morpion-tui.toml, else
    /// ~/.config/morpion/morpion-tui.toml, else /etc/morpion/morpion-tui.toml, else none]
    #[arg(long, value_name = "FILE", env = "MORPION_TUI_CONFIG")]
    pub config: Option<PathBuf>,

    #[command(subcommand)]
    pub command: Option<Subcommand>,
}

#[derive(Debug, Clone, clap::Subcommand)]
pub enum Subcommand {
    /// Print a configuration file with every key at its default
    DefaultConfig,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_command_line_is_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_token_comes_from_one_place() {
        let both = Args::try_parse_from(["morpion-tui", "--token", "a", "--token-file", "b"]);
        assert_eq!(both.unwrap_err().kind(), clap::error::ErrorKind::ArgumentConflict);
    }
}
