use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::CompleteEnv;
use morpion_shell::{escape, output, private_files};
use morpion_tui::{args::Args, commands, config::Misconfigured, run};

fn main() -> ExitCode {
    private_files::from_now_on();
    // A build of the whole workspace has more than one provider; rustls needs a choice.
    rustls::crypto::ring::default_provider().install_default().ok();
    // Ends the program where a shell asks what could follow.
    CompleteEnv::with_factory(Args::command).complete();
    let args = match Args::read(std::env::args_os()) {
        Ok(args) => args,
        Err(error) => return output::end_of_parsing(&error, "morpion-tui"),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        let outcome = runtime.block_on(async {
            match &args.command {
                Some(command) => commands::run(&args, command).await,
                None => run::run(&args.flags).await.map(|()| ExitCode::SUCCESS),
            }
        });
        // Reading keys blocks a thread until the next one is pressed.
        runtime.shutdown_background();
        outcome
    });
    outcome.unwrap_or_else(|error| {
        output::print_error(&format!("morpion-tui: {}", escape::lines(&format!("{error:#}"))));
        ExitCode::from(if error.is::<Misconfigured>() { 2 } else { 1 })
    })
}
