//! Files and folders that the configuration names; none where a key is empty.

use std::path::PathBuf;

use super::Config;

/// The file in the data folder with the token that the console on the same machine uses.
pub const LOCAL_TOKEN_FILE: &str = "operator.token";

impl Config {
    /// The folder of the log files; `None` writes no files.
    pub fn log_dir(&self) -> Option<PathBuf> {
        self.optional_path(&self.log.dir)
    }

    /// The file of breached passwords; `None` checks none.
    pub fn breached_passwords(&self) -> Option<PathBuf> {
        self.optional_path(&self.identity.local.breached_passwords)
    }

    /// The host's list of reserved names.
    pub fn reserved_names_file(&self) -> Option<PathBuf> {
        self.optional_path(&self.identity.reserved_names_file)
    }

    /// The files of certificate and key, if TLS takes them from there.
    pub fn certificate_files(&self) -> Option<(PathBuf, PathBuf)> {
        Some((self.optional_path(&self.tls.cert_file)?, self.optional_path(&self.tls.key_file)?))
    }

    fn optional_path(&self, text: &str) -> Option<PathBuf> {
        (!text.is_empty()).then(|| PathBuf::from(self.in_data_dir(text)))
    }
}
