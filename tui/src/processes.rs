//! Runs the operator's own commands: with the terminal, or in the background.

use std::{
    io::{self, Write},
    os::unix::process::ExitStatusExt,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use morpion_shell::escape;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    process::Command,
    time::timeout,
};

use crate::own_commands::{Launch, Ran};

/// Bytes that are kept of each of its two outputs; the rest is read and dropped.
const MOST_OUTPUT: usize = 64 * 1024;
/// A command in the background is ended after this.
const LONGEST: Duration = Duration::from_secs(5 * 60);

fn command(launch: &Launch) -> Command {
    let mut command = Command::new(&launch.program);
    command.args(&launch.arguments);
    command
}

/// Runs a command without the terminal.
pub async fn in_background(launch: Launch) -> Ran {
    let work = async {
        let mut child = command(&launch)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let (out, error) = (child.stdout.take(), child.stderr.take());
        let (out, error, status) = tokio::join!(printed(out), printed(error), child.wait());
        io::Result::Ok((status?, out + &error))
    };
    let (outcome, output) = match timeout(LONGEST, work).await {
        Ok(Ok((status, output))) => (ending(status), output),
        Ok(Err(error)) => (Err(format!("could not be run: {error}")), String::new()),
        Err(_) => (Err(format!("was ended after {} minutes", LONGEST.as_secs() / 60)), String::new()),
    };
    Ran { title: launch.title, is_background: true, outcome, output }
}

/// The beginning of what comes out of a pipe, once it has ended.
async fn printed(pipe: Option<impl AsyncRead + Unpin>) -> String {
    let Some(mut pipe) = pipe else { return String::new() };
    let (mut kept, mut chunk) = (vec![], vec![0_u8; 8 * 1024]);
    while let Ok(count @ 1..) = pipe.read(&mut chunk).await {
        let room = MOST_OUTPUT - kept.len();
        kept.extend_from_slice(&chunk[..count.min(room)]);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// Runs a command in the terminal, which has to be lent. What a failed one has printed stays until Enter is pressed.
pub async fn in_terminal(launch: Launch) -> Ran {
    let outcome = match command(&launch).status().await {
        Ok(status) => ending(status),
        Err(error) => Err(format!("could not be run: {error}")),
    };
    if let Err(why) = &outcome {
        let text = escape::line(&format!("{}: {why}. Enter leads back.", launch.title)).into_owned();
        let asked = tokio::task::spawn_blocking(move || {
            writeln!(io::stdout(), "\n{text}")?;
            io::stdin().read_line(&mut String::new())
        });
        // Without a terminal nobody is asked.
        asked.await.ok();
    }
    Ran { title: launch.title, is_background: false, outcome, output: String::new() }
}

fn ending(status: ExitStatus) -> Result<(), String> {
    match (status.code(), status.signal()) {
        (Some(0), _) => Ok(()),
        (Some(code), _) => Err(format!("ended with status {code}")),
        (None, Some(signal)) => Err(format!("was ended by signal {signal}")),
        (None, None) => Err("ended".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn run(program: &str, arguments: &[&str]) -> Ran {
        let arguments = arguments.iter().map(|word| (*word).to_owned()).collect();
        in_background(Launch { title: "tool".to_owned(), program: program.to_owned(), arguments, is_background: true })
            .await
    }

    #[tokio::test]
    async fn what_a_command_prints_and_how_it_ends_is_known() {
        let ran = run("printf", &["%s|", "$(id)", "a  b", "; reboot"]).await;
        assert_eq!((ran.outcome, ran.output.as_str()), (Ok(()), "$(id)|a  b|; reboot|"), "no shell reads it");
        let ran = run("sh", &["-c", "echo out; echo error >&2; exit 3"]).await;
        assert_eq!((ran.outcome, ran.output.as_str()), (Err("ended with status 3".to_owned()), "out\nerror\n"));
        let ran = run("sh", &["-c", "kill -9 $$"]).await;
        assert_eq!(ran.outcome, Err("was ended by signal 9".to_owned()));
        let ran = run("/no/such/program", &[]).await;
        assert!(ran.outcome.is_err_and(|why| why.starts_with("could not be run: ")));
        assert_eq!(run("cat", &[]).await.outcome, Ok(()), "it has no input");
    }

    #[tokio::test]
    async fn only_the_beginning_of_a_flood_is_kept() {
        let ran = run("sh", &["-c", "yes | head -c 1000000"]).await;
        assert_eq!((ran.outcome, ran.output.len()), (Ok(()), MOST_OUTPUT));
    }
}
