//! The clock of one process, by libfaketime.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

pub struct MachineClock {
    file: PathBuf,
}

impl MachineClock {
    pub fn new(folder: &Path) -> Self {
        let clock = Self { file: folder.join("clock") };
        clock.set(0);
        clock
    }

    /// So many seconds ahead of the machine's; the process sees it when it looks next.
    pub fn set(&self, ahead: i64) {
        let new = self.file.with_extension("new");
        std::fs::write(&new, format!("{ahead:+}\n")).unwrap();
        std::fs::rename(new, &self.file).unwrap();
    }

    /// Has a program that is started by this command go by this clock. What is steady stays so.
    pub fn give_to(&self, command: &mut Command) {
        command
            .env("LD_PRELOAD", library())
            .env("FAKETIME_TIMESTAMP_FILE", &self.file)
            .env("FAKETIME_NO_CACHE", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }
}

fn library() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").unwrap().map(|entry| entry.unwrap().path());
    folders
        .map(|folder| folder.join("faketime/libfaketimeMT.so.1"))
        .find(|library| library.exists())
        .expect("libfaketime is missing: apt install faketime")
}
