use std::path::Path;

use super::ConfigSource;

/// Why the configuration cannot be used: one line that says what to change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("the configuration {path} cannot be read: {reason}; fix the path or its permissions")]
    Unreadable { path: String, reason: String },
    #[error("the configuration {path} is not TOML: line {line}: {reason}")]
    Syntax { path: String, line: usize, reason: String },
    #[error("the environment: {variable} is not UTF-8, so that it cannot be read; write it anew, or unset it")]
    NotText { variable: String },
    #[error("{source_text}: unknown key '{key}'{}; `morpion default-config` lists every key", did_you_mean(.nearest))]
    UnknownKey { source_text: String, key: String, nearest: Option<String> },
    #[error("{source_text}: {key}: {reason}")]
    Value { source_text: String, key: String, reason: String },
    #[error("{source_text}: {key} and {key}_file are both given; keep one of them")]
    Both { source_text: String, key: String },
    #[error("{source_text}: {key}_file: {path} cannot be read: {reason}; fix the path or its permissions")]
    SecretFile { source_text: String, key: String, path: String, reason: String },
    /// Keys that do not go together.
    #[error("{key}: {reason}")]
    Together { key: &'static str, reason: String },
    #[error("{key}: {path} {reason}")]
    File { key: &'static str, path: String, reason: String },
}

impl ConfigError {
    /// A file that a key names cannot be used; the reason continues a sentence that begins with its path.
    pub(crate) fn file(key: &'static str, path: &Path, reason: &str) -> Self {
        Self::File { key, path: path.display().to_string(), reason: reason.to_owned() }
    }

    /// The key or the section that it is about; empty if it is about none.
    pub(super) fn key(&self) -> &str {
        match self {
            Self::UnknownKey { key, .. }
            | Self::Value { key, .. }
            | Self::Both { key, .. }
            | Self::SecretFile { key, .. } => key,
            Self::Together { key, .. } | Self::File { key, .. } => key,
            Self::Unreadable { .. } | Self::Syntax { .. } | Self::NotText { .. } => "",
        }
    }

    pub(super) fn value(source: &ConfigSource, key: &str, reason: impl Into<String>) -> Self {
        Self::Value { source_text: source.to_string(), key: key.to_owned(), reason: reason.into() }
    }
}

fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|key| format!(", did you mean '{key}'?")).unwrap_or_default()
}
