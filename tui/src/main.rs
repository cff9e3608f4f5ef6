use std::process::ExitCode;

use clap::Parser;
use morpion_tui::{args::Args, commands, run};

fn main() -> ExitCode {
    let args = Args::parse();
    // More than one is compiled in where the whole workspace is built; rustls wants to be told.
    rustls::crypto::ring::default_provider().install_default().ok();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = runtime.map_err(anyhow::Error::from).and_then(|runtime| {
        let outcome = runtime.block_on(async {
            match &args.command {
                Some(command) => commands::run(&args, command).await,
                None => run::run(&args).await.map(|()| ExitCode::SUCCESS),
            }
        });
        // Reading keys blocks a thread until the next one is pressed.
        runtime.shutdown_background();
        outcome
    });
    outcome.unwrap_or_else(|error| {
        eprintln!("morpion-tui: {error:#}");
        ExitCode::FAILURE
    })
}
