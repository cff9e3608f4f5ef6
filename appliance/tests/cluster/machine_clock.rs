//! The clock of one process, relative to the machine's, by libfaketime.

use std::path::{Path, PathBuf};

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

    /// With these variables a program goes by this clock. What is steady stays so.
    pub fn variables(&self) -> [(&'static str, String); 4] {
        let text = |path: &Path| path.to_str().expect("the tests' paths are text").to_owned();
        [
            ("LD_PRELOAD", text(&library())),
            ("FAKETIME_TIMESTAMP_FILE", text(&self.file)),
            ("FAKETIME_NO_CACHE", "1".to_owned()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".to_owned()),
        ]
    }
}

fn library() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").unwrap().map(|entry| entry.unwrap().path());
    folders
        .map(|folder| folder.join("faketime/libfaketimeMT.so.1"))
        .find(|library| library.exists())
        .expect("libfaketime is missing: apt install faketime")
}
