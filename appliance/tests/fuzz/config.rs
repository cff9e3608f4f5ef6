//! Configuration files: one is loaded, or refused by an error that names what to change. Settings in backups: whatever they are, the
//! file that is made of them is loaded.

use std::{fs, path::Path};

use morpion_appliance::config::{ConfigError, ConfigSources, DEFAULT_CONFIG, RestoredSettings, StoredSettings};
use tempfile::TempDir;

use crate::runner::Target;

const TOKENS: &[&str] = &[
    " = ",
    "\n",
    "[",
    "]",
    "[[",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "#",
    ".",
    ",",
    "true",
    "-1",
    "0",
    "1e999",
    "nan",
    "inf",
    "0x7fffffffffffffff",
    "9223372036854775808",
    "1979-05-27T07:32:00Z",
    "99999 GiB",
    "server",
    "listen",
    "_file",
    "secret_key",
    "[::]:0",
    "https://[",
    "\\uD800",
    "\u{feff}",
    "\u{2028}",
    "smtp://",
    "10.0.0.0/33",
    "[server]\n",
];

#[test]
fn a_configuration_is_loaded_or_its_mistake_is_named() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("morpion.toml");
    let keys: Vec<_> = ConfigSources::default().load().unwrap().settings.into_iter().map(|each| each.key).collect();
    let target = Target { name: "config", tokens: TOKENS, seeds: vec![DEFAULT_CONFIG.into()] };
    target.run(|input| {
        fs::write(&file, input).unwrap();
        let sources = ConfigSources { file: Some(file.clone()), ..ConfigSources::default() };
        let error = match sources.load() {
            Ok(loaded) => {
                // What was accepted can be used.
                let config = loaded.config;
                let _ = (config.public_origin(), config.allows_host("localhost"), config.database_url());
                let _ = (config.log_dir(), config.audit_targets(), config.identity.oidc.label());
                // Providers with an id have keys of their own.
                return assert!(loaded.settings.len() >= keys.len());
            }
            Err(error) => error,
        };
        let text = error.to_string();
        match error {
            ConfigError::UnknownKey { key, .. } => assert!(!keys.contains(&key), "{text}"),
            ConfigError::Value { key, .. } | ConfigError::Both { key, .. } | ConfigError::SecretFile { key, .. } => {
                let is_known =
                    |key: &str| keys.iter().any(|known| known == key || known.starts_with(&format!("{key}.")));
                // Of a secret, or a key whose own name ends so.
                let is_of_provider = key.starts_with("identity.oidc.");
                let is_of_secret = is_known(key.trim_end_matches("_file"));
                assert!(is_known(&key) || is_of_secret || is_of_provider, "it names no key: {text}");
            }
            ConfigError::Syntax { line, .. } => assert!((1..=text_lines(input)).contains(&line), "{text}"),
            ConfigError::File { key, .. } | ConfigError::Together { key, .. } => {
                assert!(keys.iter().any(|known| known == key || known.starts_with(&format!("{key}."))), "{text}");
            }
            ConfigError::NotText { variable } => panic!("a file has no variables: {variable}"),
            ConfigError::Unreadable { .. } => assert!(std::str::from_utf8(input).is_err(), "{text}"),
        }
    });
}

#[test]
fn stored_settings_become_a_file_that_is_loaded_or_are_refused() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("morpion.toml");
    fs::write(&file, "[mail]\nhost = 'a'\npassword = 'b'\n[cluster]\nnats = ['nats://a:b@c']\nname = 'a'").unwrap();
    let sources = ConfigSources { file: Some(file.clone()), ..ConfigSources::default() };
    let whole = sources.load().unwrap().config.effective;
    let seeds = [true, false].map(|secrets| whole.stored(secrets).encode().unwrap()).to_vec();
    let target = Target { name: "settings", tokens: TOKENS, seeds };
    target.run(|input| {
        let Ok(stored) = StoredSettings::parse(input) else { return };
        let Ok(restored) = RestoredSettings::new(stored, Path::new("/restored"), "of a test") else { return };
        fs::write(&file, &restored.text).unwrap();
        let loaded = sources.load().unwrap_or_else(|error| panic!("{error}: {}", restored.text)).config;
        assert_eq!((loaded.data_dir.as_path(), loaded.cluster), (Path::new("/restored"), None));
        assert!(restored.notes().len() < 10_000);
    });
}

fn text_lines(input: &[u8]) -> usize {
    1 + input.iter().filter(|byte| **byte == b'\n').count()
}
