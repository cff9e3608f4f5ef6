use clap::Parser;
use morpion_tui::{
    args::{Args, Subcommand},
    config, run,
};

fn main() -> std::process::ExitCode {
    let args = Args::parse();
    if let Some(Subcommand::DefaultConfig) = args.command {
        print!("{}", config::SAMPLE);
        return std::process::ExitCode::SUCCESS;
    }
    let outcome = config::Settings::resolve(&args).and_then(|settings| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let outcome = runtime.block_on(run::run(settings));
        // Reading keys blocks a thread until the next one is pressed.
        runtime.shutdown_background();
        outcome
    });
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("morpion-tui: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
