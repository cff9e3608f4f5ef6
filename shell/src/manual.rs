//! Manual pages and completion scripts, from the definition of the command line.

use std::{
    fs::{self, Permissions},
    io,
    os::unix::fs::PermissionsExt,
    path::Path,
};

use clap::Command;
use clap_complete::{Shell, env::Shells};

/// The script that makes the shell ask the program itself what can follow, which knows what there is on the server.
///
/// # Errors
/// The shell is not known.
pub fn completions(shell: Shell, program: &str) -> io::Result<String> {
    let (shells, mut script) = (Shells::builtins(), vec![]);
    let shell = shells.completer(&shell.to_string()).ok_or(io::ErrorKind::Unsupported)?;
    shell.write_registration("COMPLETE", program, program, program, &mut script)?;
    Ok(String::from_utf8_lossy(&script).into_owned())
}

/// The program's own page.
///
/// # Errors
/// None that is known.
pub fn page(command: Command) -> io::Result<String> {
    let mut page = vec![];
    clap_mangen::Man::new(command.disable_help_subcommand(true)).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// A page for the program and one for each command, as files in a folder, which is made.
///
/// # Errors
/// They cannot be written.
pub fn write_pages(command: Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let program = command.get_name().to_owned();
    clap_mangen::generate_to(command, folder)?;
    for page in fs::read_dir(folder)? {
        let page = page?;
        let name = page.file_name().to_string_lossy().into_owned();
        if name.starts_with(&program) && name.ends_with(".1") {
            // The programs' own files are private; manuals are for everybody.
            fs::set_permissions(page.path(), Permissions::from_mode(0o644))?;
        }
    }
    Ok(())
}
