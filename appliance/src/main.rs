use std::process::ExitCode;

fn main() -> ExitCode {
    morpion_appliance::cli::main()
}
