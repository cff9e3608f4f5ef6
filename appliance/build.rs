//! The web app is read from its build's folder, whose path must be there when the server is compiled: in a fresh clone
//! it is made empty, and filled by `make web`. A release contains the web app, so it is not built without it.

use std::{env, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = Path::new(&env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../webapp/dist");
    if let Err(error) = fs::create_dir_all(&folder) {
        println!("cargo::warning={} cannot be made: {error}", folder.display());
    }
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        // Its files have hashes for names: new ones are no dependency of anything yet.
        println!("cargo::rerun-if-changed={}", folder.display());
        if !folder.join("index.html").is_file() {
            println!("cargo::error=a release contains the web app, which is not built: run `make web` first");
        }
    }
}
