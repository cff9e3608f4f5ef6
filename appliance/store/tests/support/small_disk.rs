//! A real small file system, to be filled and freed.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

const SIZE: &str = "48m";

/// True for who may mount. Anybody else has the test of this name run by this call, in a namespace where they may, and
/// gets false.
///
/// # Panics
/// When the test fails there, or there can be no such namespace.
pub fn may_mount(test: &str) -> bool {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root {
        let run = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount"])
            .arg(std::env::current_exe().unwrap())
            .args([test, "--nocapture"])
            .status();
        assert!(
            run.expect("unshare is installed").success(),
            "{test} failed, or this user may neither mount a small file system nor make a namespace to do so in"
        );
    }
    is_root
}

/// A file system of its own, as long as this lives.
pub struct SmallDisk {
    folder: tempfile::TempDir,
}

impl SmallDisk {
    pub fn mount() -> Self {
        let folder = tempfile::TempDir::new().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={SIZE}"), "tmpfs"])
            .arg(folder.path())
            .output();
        let mounted = mounted.expect("mount is installed");
        assert!(
            mounted.status.success(),
            "this test needs a small file system, and root may not mount one here (run it where CAP_SYS_ADMIN is given): {}",
            String::from_utf8_lossy(&mounted.stderr)
        );
        Self { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Whether it can be written.
    #[allow(dead_code, reason = "not for every test of small disks")]
    pub fn set_writable(&self, is_writable: bool) {
        let options = if is_writable { "remount,rw" } else { "remount,ro" };
        let output = Command::new("mount").args(["-o", options]).arg(self.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Takes all that is free but so many bytes; freed by removing the file.
    #[allow(dead_code, reason = "not for every test of small disks")]
    pub fn fill_but(&self, left: u64) -> PathBuf {
        let filler = self.fill();
        let file = File::options().write(true).open(&filler).unwrap();
        file.set_len(file.metadata().unwrap().len() - left).unwrap();
        filler
    }

    /// Takes all that is free; freed by removing the file.
    pub fn fill(&self) -> PathBuf {
        let path = self.path().join("filler");
        let mut file = File::create(&path).unwrap();
        while file.write_all(&[1; 4096]).is_ok() {}
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        Command::new("umount").arg("-l").arg(self.folder.path()).status().ok();
    }
}
