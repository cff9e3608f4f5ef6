//! Passwords come from the terminal without echo or from standard input, never from the arguments, which every process
//! of the machine can read.

use std::io::{self, BufRead, IsTerminal};

use anyhow::{Context, bail};
use clap::Args;

#[derive(Debug, Args)]
pub struct PasswordSource {
    /// Read the password from the first line of standard input instead of asking for it
    #[arg(long)]
    password_stdin: bool,
}

impl PasswordSource {
    /// # Errors
    /// There is no terminal, nothing was typed, or the two inputs differ.
    pub fn read(&self) -> anyhow::Result<String> {
        if self.password_stdin {
            return first_line(io::stdin().lock());
        }
        if !io::stdin().is_terminal() {
            bail!("there is no terminal to ask for the password on; pipe it in with --password-stdin");
        }
        let password = rpassword::prompt_password("Password: ").context("the password cannot be read")?;
        let again = rpassword::prompt_password("Repeat the password: ").context("the password cannot be read")?;
        if password != again {
            bail!("the two passwords differ; nothing was changed");
        }
        Ok(password)
    }
}

fn first_line(input: impl BufRead) -> anyhow::Result<String> {
    match input.lines().next() {
        Some(line) => Ok(line.context("the password cannot be read")?.trim_end_matches('\r').to_owned()),
        None => bail!("standard input is empty; it should hold the password"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_is_the_password() {
        assert_eq!(first_line(&b"a pass word \r\nmore\n"[..]).unwrap(), "a pass word ");
        assert!(first_line(&b""[..]).is_err());
    }
}
