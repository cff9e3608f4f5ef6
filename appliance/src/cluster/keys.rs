//! The keys in the data folder that all nodes share. They go to a node that joins, sealed with a key that is derived from
//! `cluster.join_secret`: whoever reads along on NATS, or may ask there, does not have it.

use std::{
    io,
    path::{Path, PathBuf},
};

use aes_gcm::{
    Aes256Gcm, KeyInit,
    aead::{Aead, Payload},
};
use anyhow::{Context, bail, ensure};
use hkdf::Hkdf;
use rand::RngCore;
use sha2::Sha256;

use crate::{account::SECRET_FILE, config::ClusterConfig, private_file, push::vapid::KEY_FILE};

const KEY_FILES: [&str; 2] = [SECRET_FILE, KEY_FILE];

/// What the sealing key is for. It changes with the format.
const PURPOSE: &[u8] = b"morpion: keys of a cluster, 1";

const NONCE: usize = 12;

/// The shared keys of a data folder. Cheap to clone.
#[derive(Clone)]
pub struct SharedKeys {
    data_dir: PathBuf,
    /// The name of the cluster.
    stream: String,
    /// `None` without a join secret.
    sealing: Option<[u8; 32]>,
}

impl std::fmt::Debug for SharedKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedKeys").field("data_dir", &self.data_dir).finish_non_exhaustive()
    }
}

impl SharedKeys {
    pub fn new(data_dir: &Path, cluster: &ClusterConfig) -> Self {
        let sealing = cluster.join_secret.as_ref().map(|secret| {
            let mut key = [0; 32];
            let derived = Hkdf::<Sha256>::new(None, secret.expose().as_bytes()).expand(PURPOSE, &mut key);
            derived.expect("a key is short enough");
            key
        });
        Self { data_dir: data_dir.to_owned(), stream: cluster.stream.clone(), sealing }
    }

    /// The keys for a node that joins; `None` without a join secret.
    ///
    /// # Errors
    /// A key cannot be read.
    pub fn seal(&self) -> io::Result<Option<Vec<u8>>> {
        let Some(key) = &self.sealing else { return Ok(None) };
        let mut keys = vec![];
        for name in KEY_FILES {
            keys.extend(private_file::read(&self.data_dir.join(name))?.map(|text| (name, text)));
        }
        let plain = postcard::to_stdvec(&keys).map_err(io::Error::other)?;
        let mut nonce = [0; NONCE];
        rand::rng().fill_bytes(&mut nonce);
        let sealed = Aes256Gcm::new(key.into()).encrypt(&nonce.into(), self.bound(&plain));
        let sealed = sealed.map_err(|_| io::Error::other("the keys are too long"))?;
        Ok(Some([&nonce[..], &sealed].concat()))
    }

    /// Replaces the keys of this node by those that another one sealed. `is_member`: it has those of the cluster already.
    ///
    /// # Errors
    /// They are missing or sealed with another secret, or the disk refuses.
    pub fn install(&self, sealed: Option<&[u8]>, is_member: bool) -> anyhow::Result<()> {
        let (Some(key), Some(sealed)) = (&self.sealing, sealed) else {
            ensure!(
                is_member,
                "the keys of the cluster go to nodes that have its join secret only; write the same cluster.join_secret \
                 into the configuration of this node and of all others, and restart them"
            );
            return Ok(());
        };
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>().context("a node sends no keys")?;
        let Ok(plain) = Aes256Gcm::new(key.into()).decrypt(&(*nonce).into(), self.bound(sealed)) else {
            bail!("the keys of the cluster are sealed with another cluster.join_secret than that of this node");
        };
        let keys: Vec<(String, String)> = postcard::from_bytes(&plain).context("a node sends no keys")?;
        for (name, text) in keys {
            let name = KEY_FILES.into_iter().find(|known| **known == name).context("a node offers another key")?;
            private_file::write(&self.data_dir.join(name), &text)?;
        }
        Ok(())
    }

    /// Keys of one cluster are no keys of another.
    fn bound<'a>(&'a self, text: &'a [u8]) -> Payload<'a, 'a> {
        Payload { msg: text, aad: self.stream.as_bytes() }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::config::ConfigSources;

    fn keys(data_dir: &Path, secret: &str, stream: &str) -> SharedKeys {
        let environment = [("NATS", "nats://a"), ("NAME", "a"), ("STREAM", stream), ("JOIN_SECRET", secret)];
        let environment =
            environment.map(|(key, value)| (format!("MORPION_CLUSTER__{key}"), value.to_owned())).to_vec();
        let loaded = ConfigSources { environment, ..ConfigSources::default() }.load().unwrap();
        SharedKeys::new(data_dir, &loaded.config.cluster.unwrap())
    }

    #[test]
    fn only_a_node_with_the_secret_reads_the_keys() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let secret = "5e".repeat(32);
        private_file::write(&one.path().join(SECRET_FILE), "the secret").unwrap();
        private_file::write(&other.path().join(SECRET_FILE), "its own").unwrap();
        let giving = keys(one.path(), &secret, "morpion");
        let sealed = giving.seal().unwrap().unwrap();
        assert_ne!(giving.seal().unwrap().unwrap(), sealed);
        assert!(!sealed.windows(10).any(|part| part == b"the secret"));

        let own = || fs::read_to_string(other.path().join(SECRET_FILE)).unwrap().trim().to_owned();
        for (secret, stream) in [("5f".repeat(32), "morpion"), (secret.clone(), "another")] {
            let refused = keys(other.path(), &secret, stream).install(Some(&sealed), true).unwrap_err().to_string();
            assert!(refused.contains("another cluster.join_secret"), "{refused}");
        }
        let without = keys(other.path(), "", "morpion");
        assert_eq!(without.seal().unwrap(), None);
        for (keys, sealed) in [(&without, Some(&sealed[..])), (&keys(other.path(), &secret, "morpion"), None)] {
            assert!(
                keys.install(sealed, false).unwrap_err().to_string().contains("write the same cluster.join_secret")
            );
            keys.install(sealed, true).unwrap();
        }
        assert_eq!(own(), "its own", "a member keeps its keys");
        keys(other.path(), &secret, "morpion").install(Some(&sealed), false).unwrap();
        assert_eq!(own(), "the secret");
        assert!(!other.path().join(KEY_FILE).exists());
    }
}
