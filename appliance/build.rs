//! The web app is read from its build's folder, whose path must be there when the server is compiled: in a fresh clone
//! it is made empty, and filled by `make web`.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../webapp/dist");
    if let Err(error) = std::fs::create_dir_all(folder) {
        println!("cargo::warning={folder} cannot be made: {error}");
    }
}
