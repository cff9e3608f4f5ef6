//! The section `[cluster]`: several servers that are one.

use std::{
    fmt, fs,
    ops::RangeInclusive,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use morpion_store::DatabaseUrl;
use serde::{Deserialize, Deserializer, de::Error as _};
use url::Url;

use super::{
    Config, ConfigError, Secret,
    kinds::{ConfiguredPath, UrlWithUser},
};

/// More servers than a cluster of NATS has.
const MAX_SERVERS: usize = 16;
const MAX_NAME: usize = 32;
const MIN_JOIN_SECRET: usize = 32;
/// Entries between two checkpoints: each makes a copy, and what is not in one is read again after a crash.
const CHECKPOINTS: RangeInclusive<u64> = 10..=1_000_000;

/// The numbers of copies that have a majority, in JetStream's terms.
const REPLICAS: [usize; 3] = [1, 3, 5];

/// This server's place in a cluster. Absent: it runs alone.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClusterConfig {
    /// URLs of NATS servers, `nats://` or `tls://`, perhaps with a user and password: never print them, see
    /// [`ClusterConfig::servers`].
    #[serde(deserialize_with = "servers")]
    pub nats: Vec<String>,
    /// This node, in lower case.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// The cluster: what all its names in NATS begin with.
    #[serde(deserialize_with = "stream")]
    pub stream: String,
    /// A file with the JWT and the key of a user of NATS.
    #[serde(deserialize_with = "optional_path")]
    pub credentials: Option<PathBuf>,
    /// Whether NATS may ask for no credentials, since nobody else reaches it.
    pub closed_network: bool,
    /// What the nodes of the cluster have in common: with it they give keys to one that joins. Absent: none can join.
    #[serde(deserialize_with = "join_secret")]
    pub join_secret: Option<Secret>,
    /// Root certificates in PEM for NATS; absent trusts those of the system.
    #[serde(deserialize_with = "optional_path")]
    pub tls_ca: Option<PathBuf>,
    /// Copies that NATS keeps of the stream; absent: as many as `nats` names, up to three.
    #[serde(deserialize_with = "replicas")]
    pub replicas: Option<usize>,
    /// Entries of the log between two checkpoints of a node.
    #[serde(deserialize_with = "checkpoint_every")]
    pub checkpoint_every: u64,
}

impl ClusterConfig {
    /// The URLs of the NATS servers without users and passwords, for messages.
    pub fn servers(&self) -> impl Iterator<Item = String> {
        self.nats.iter().map(|url| without_user(url))
    }

    /// Whether data go to another machine without being encrypted.
    pub fn is_exposed(&self) -> bool {
        let is_local = |url: &Url| matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        self.nats.iter().any(|url| Url::parse(url).is_ok_and(|url| url.scheme() != "tls" && !is_local(&url)))
    }

    fn is_encrypted(&self) -> bool {
        self.nats.iter().all(|url| url.starts_with("tls://"))
    }

    fn check(&self, database: &DatabaseUrl) -> Result<(), ConfigError> {
        let wrong = |key, reason: &str| Err(ConfigError::Together { key, reason: reason.to_owned() });
        if self.nats.is_empty() != self.name.is_empty() {
            return wrong("cluster", "nats and name are given together");
        }
        if *database == DatabaseUrl::Memory {
            return wrong("cluster", "a node keeps its data on disk; write surrealkv://PATH into database.url");
        }
        if let Some(file) = &self.credentials {
            check_file("cluster.credentials", file)?;
            if fs::metadata(file).is_ok_and(|file| file.permissions().mode() & 0o077 != 0) {
                let reason = format!("can be read by other users; run `chmod 600 {}`", file.display());
                return Err(ConfigError::file("cluster.credentials", file, &reason));
            }
        }
        if let Some(file) = &self.tls_ca {
            if !self.is_encrypted() {
                return wrong(
                    "cluster.tls_ca",
                    "it is for encrypted connections; begin every address of nats with tls://",
                );
            }
            check_file("cluster.tls_ca", file)?;
        }
        Ok(())
    }
}

impl fmt::Debug for ClusterConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterConfig")
            .field("nats", &self.servers().collect::<Vec<_>>())
            .field("name", &self.name)
            .field("stream", &self.stream)
            .field("credentials", &self.credentials)
            .field("closed_network", &self.closed_network)
            .field("join_secret", &self.join_secret)
            .field("tls_ca", &self.tls_ca)
            .field("replicas", &self.replicas)
            .field("checkpoint_every", &self.checkpoint_every)
            .finish()
    }
}

impl Config {
    /// Fills in `{data_dir}`, and checks the section against other keys and the disk.
    pub(super) fn with_checked_cluster(mut self) -> Result<Self, ConfigError> {
        if let Some(mut cluster) = self.cluster.take() {
            let filled_in = |path: PathBuf| PathBuf::from(self.in_data_dir(&path.to_string_lossy()));
            cluster.credentials = cluster.credentials.map(filled_in);
            cluster.tls_ca = cluster.tls_ca.map(filled_in);
            cluster.check(&self.database_url())?;
            self.cluster = Some(cluster);
        }
        Ok(self)
    }
}

/// `None` without servers and name.
pub(super) fn section<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ClusterConfig>, D::Error> {
    let section = ClusterConfig::deserialize(deserializer)?;
    Ok((!section.nats.is_empty() || !section.name.is_empty()).then_some(section))
}

/// A URL as it may be printed.
pub(super) fn without_user(url: &str) -> String {
    match Url::parse(url) {
        Ok(parsed) if parsed.username().is_empty() && parsed.password().is_none() => url.to_owned(),
        Ok(parsed) => {
            let port = parsed.port().map(|port| format!(":{port}")).unwrap_or_default();
            format!("{}://(hidden)@{}{port}", parsed.scheme(), parsed.host_str().unwrap_or_default())
        }
        Err(_) => "(hidden)".to_owned(),
    }
}

fn check_file(key: &'static str, path: &Path) -> Result<(), ConfigError> {
    let read = fs::read(path).map_err(|error| {
        ConfigError::file(key, path, &format!("cannot be read: {error}; fix the path or its permissions"))
    })?;
    if read.is_empty() { Err(ConfigError::file(key, path, "is empty")) } else { Ok(()) }
}

/// Refusals do not repeat a URL, which may contain a password.
fn servers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let urls: Vec<_> = Vec::<UrlWithUser>::deserialize(deserializer)?.into_iter().map(|url| url.0).collect();
    if urls.len() > MAX_SERVERS {
        return Err(D::Error::custom(format!("there are at most {MAX_SERVERS} servers")));
    }
    if urls.iter().all(|url| is_server(url)) {
        return Ok(urls);
    }
    Err(D::Error::custom(
        "it has something else than addresses of NATS servers; write nats://HOST:4222 or tls://HOST:4222",
    ))
}

fn is_server(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "nats" | "tls")
            && url.host_str().is_some_and(|host| !host.is_empty())
            && matches!(url.path(), "" | "/")
            && url.query().is_none()
            && url.fragment().is_none()
    })
}

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let allowed = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if text.len() > MAX_NAME || !text.chars().all(allowed) {
        return Err(D::Error::custom(format!(
            "'{text}' is not a name for a node; write 1 to {MAX_NAME} of a-z, 0-9 and -, such as a or node-1"
        )));
    }
    Ok(text)
}

fn stream<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if text.is_empty() || text.len() > MAX_NAME || !text.chars().all(allowed) {
        return Err(D::Error::custom(format!(
            "'{text}' is not a name for a cluster; write 1 to {MAX_NAME} of A-Z, a-z, 0-9, _ and -, such as morpion"
        )));
    }
    Ok(text)
}

fn optional_path<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    let ConfiguredPath(text) = ConfiguredPath::deserialize(deserializer)?;
    Ok((!text.is_empty()).then(|| text.into()))
}

fn join_secret<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    let secret = Secret::deserialize(deserializer)?;
    if secret.expose().is_empty() {
        return Ok(None);
    }
    // Whoever sees the sealed keys may try secrets for years.
    if secret.expose().len() < MIN_JOIN_SECRET {
        return Err(D::Error::custom(format!(
            "it is shorter than {MIN_JOIN_SECRET} characters; write what `openssl rand -hex 32` prints, the same on every node"
        )));
    }
    Ok(Some(secret))
}

fn replicas<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    match usize::deserialize(deserializer)? {
        0 => Ok(None),
        copies if REPLICAS.contains(&copies) => Ok(Some(copies)),
        other => Err(D::Error::custom(format!("{other} is not a number of copies; write 1, 3 or 5, or 0"))),
    }
}

fn checkpoint_every<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let entries = u64::deserialize(deserializer)?;
    if CHECKPOINTS.contains(&entries) {
        return Ok(entries);
    }
    let (least, most) = (CHECKPOINTS.start(), CHECKPOINTS.end());
    Err(D::Error::custom(format!("{entries} is no number of entries; write {least} to {most}")))
}

#[cfg(test)]
mod tests {
    use super::super::{ConfigSources, LoadedConfig};
    use super::*;

    fn with(settings: &[(&str, &str)]) -> Result<LoadedConfig, String> {
        let given = [("NATS", "nats://a:4222, tls://b"), ("NAME", "a")];
        let variable = |(key, value): &(&str, &str)| (format!("MORPION_CLUSTER__{key}"), (*value).to_owned());
        let mut environment: std::collections::BTreeMap<_, _> = given.iter().map(variable).collect();
        environment.extend(settings.iter().map(variable));
        let sources = ConfigSources { environment: environment.into_iter().collect(), ..ConfigSources::default() };
        sources.load().map_err(|error| error.to_string())
    }

    #[test]
    fn a_server_is_alone_unless_servers_and_a_name_are_given() {
        assert_eq!(Config::default().cluster, None);
        assert_eq!(with(&[("NATS", ""), ("NAME", "")]).unwrap().config.cluster, None);
        let cluster = with(&[("REPLICAS", "3")]).unwrap().config.cluster.unwrap();
        assert_eq!(cluster.nats, ["nats://a:4222", "tls://b"]);
        assert_eq!((cluster.name.as_str(), cluster.stream.as_str(), cluster.replicas), ("a", "morpion", Some(3)));
        assert_eq!((cluster.credentials, cluster.tls_ca), (None, None));
        assert_eq!((cluster.closed_network, cluster.join_secret), (false, None));
        for half in ["NATS", "NAME"] {
            assert_eq!(with(&[(half, "")]).unwrap_err(), "cluster: nats and name are given together");
        }
    }

    #[test]
    fn wrong_values_are_refused_with_what_to_write() {
        let long = "a".repeat(33);
        for (key, value, says) in [
            ("NATS", "http://a", "cluster.nats: it has something else than addresses of NATS servers"),
            ("NATS", "a:4222", "write nats://HOST:4222 or tls://HOST:4222"),
            ("NATS", "nats://", "write nats://HOST:4222"),
            ("NATS", "nats://a/path", "write nats://HOST:4222"),
            ("NATS", "nats://a?b", "write nats://HOST:4222"),
            ("NAME", "A", "'A' is not a name for a node; write 1 to 32 of a-z"),
            ("NAME", long.as_str(), "is not a name for a node"),
            ("STREAM", "", "'' is not a name for a cluster"),
            ("STREAM", "a.b", "'a.b' is not a name for a cluster"),
            ("REPLICAS", "2", "2 is not a number of copies; write 1, 3 or 5"),
            ("REPLICAS", "-1", "cluster.replicas"),
            ("CLOSED_NETWORK", "perhaps", "neither true nor false"),
            ("JOIN_SECRET", "hunter2", "it is shorter than 32 characters; write what `openssl rand -hex 32` prints"),
            ("CHECKPOINT_EVERY", "9", "9 is no number of entries; write 10 to 1000000"),
            ("TLS_CA", "/etc/hostname", "begin every address of nats with tls://"),
            ("CREDENTIALS", "/nonexistent/a.creds", "cluster.credentials: /nonexistent/a.creds cannot be read"),
        ] {
            let refusal = with(&[(key, value)]).unwrap_err();
            assert!(refusal.contains(says), "{key} {value}: {refusal}");
        }
        let many = vec!["nats://a"; 17].join(",");
        assert!(with(&[("NATS", many.as_str())]).unwrap_err().contains("at most 16"));
        let mut environment = vec![("MORPION_DATABASE__URL".to_owned(), "mem://".to_owned())];
        environment.push(("MORPION_CLUSTER__NATS".to_owned(), "nats://a".to_owned()));
        environment.push(("MORPION_CLUSTER__NAME".to_owned(), "a".to_owned()));
        let in_memory = ConfigSources { environment, ..ConfigSources::default() }.load().unwrap_err().to_string();
        assert_eq!(in_memory, "cluster: a node keeps its data on disk; write surrealkv://PATH into database.url");
    }

    #[test]
    fn files_are_read_by_the_server_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("node.creds");
        let load = || with(&[("CREDENTIALS", &*file.to_string_lossy())]);
        let write = |text: &str, mode: u32| {
            fs::write(&file, text).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        };
        write("a user", 0o600);
        assert_eq!(load().unwrap().config.cluster.unwrap().credentials, Some(file.clone()));
        write("a user", 0o640);
        assert!(load().unwrap_err().contains("can be read by other users; run `chmod 600 "));
        write("", 0o600);
        assert!(load().unwrap_err().ends_with("is empty"));

        let ca = folder.path().join("ca.pem");
        fs::write(&ca, "a certificate").unwrap();
        let environment = [
            ("MORPION_DATA_DIR", folder.path().to_string_lossy().into_owned()),
            ("MORPION_CLUSTER__NATS", "tls://a".to_owned()),
            ("MORPION_CLUSTER__NAME", "a".to_owned()),
            ("MORPION_CLUSTER__TLS_CA", "{data_dir}/ca.pem".to_owned()),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
        let loaded = ConfigSources { environment, ..ConfigSources::default() }.load().unwrap();
        assert_eq!(loaded.config.cluster.unwrap().tls_ca, Some(ca));
    }

    #[test]
    fn only_data_on_the_network_are_exposed() {
        for (servers, is_exposed) in [
            ("tls://a", false),
            ("nats://127.0.0.1:4222,nats://[::1],nats://localhost", false),
            ("tls://a,nats://b", true),
            ("nats://10.0.0.1", true),
        ] {
            let cluster = with(&[("NATS", servers)]).unwrap().config.cluster.unwrap();
            assert_eq!(cluster.is_exposed(), is_exposed, "{servers}");
        }
    }

    #[test]
    fn users_and_passwords_are_never_shown() {
        let loaded = with(&[("NATS", "tls://ann:hunter2@a:4222,nats://token3@b,tls://[::1]:4222")]).unwrap();
        let shown = format!("{:?} {:?}", loaded.config, loaded.settings);
        assert!(!shown.contains("hunter2") && !shown.contains("ann:") && !shown.contains("token3"), "{shown}");
        let cluster = loaded.config.cluster.unwrap();
        assert_eq!(
            cluster.servers().collect::<Vec<_>>(),
            ["tls://(hidden)@a:4222", "nats://(hidden)@b", "tls://[::1]:4222"]
        );
        assert!(cluster.nats[0].contains("hunter2"));
        let secret = "0123456789abcdef".repeat(4);
        let loaded = with(&[("JOIN_SECRET", &secret)]).unwrap();
        assert!(!format!("{:?} {:?}", loaded.config, loaded.settings).contains(&secret));
        assert_eq!(loaded.config.cluster.unwrap().join_secret.unwrap().expose(), secret);
        let refusal = with(&[("NATS", "https://ann:hunter2@a")]).unwrap_err();
        assert!(!refusal.contains("hunter2"), "{refusal}");
    }
}
