use std::process::ExitCode;

use tikv_jemallocator::Jemalloc;

/// Takes less time than the system's, which shows in every move, and keeps less memory for good.
#[global_allocator]
static ALLOCATOR: Jemalloc = Jemalloc;

fn main() -> ExitCode {
    morpion_appliance::cli::main()
}
