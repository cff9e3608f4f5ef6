//! Where the operator token comes from.

use std::path::{Path, PathBuf};

/// What the server calls the token that it writes at its first start.
const LOCAL_TOKEN_FILE: &str = "operator.token";
/// A token file has one line; a longer file is something else.
const MAX_TOKEN_FILE: u64 = 4 * 1024;

/// How to get the token. It is read again at each try to connect, so that a token made while the
/// console already runs is taken up.
#[derive(Clone, PartialEq, Eq)]
pub enum TokenSource {
    Given(String),
    File(PathBuf),
    /// The first of these files that can be read.
    Search(Vec<PathBuf>),
    /// A server on another machine, and no token was named. A token of this machine is not sent
    /// there.
    Remote,
}

impl std::fmt::Debug for TokenSource {
    /// Without the token.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Given(_) => f.write_str("Given(…)"),
            Self::File(path) => f.debug_tuple("File").field(path).finish(),
            Self::Search(paths) => f.debug_tuple("Search").field(paths).finish(),
            Self::Remote => f.write_str("Remote"),
        }
    }
}

impl TokenSource {
    /// The places where a server on this machine may have left its token.
    pub fn local(data_dir: Option<PathBuf>) -> Self {
        let folders = data_dir.into_iter().chain(["./data".into(), "/var/lib/morpion".into()]);
        Self::Search(folders.map(|folder| folder.join(LOCAL_TOKEN_FILE)).collect())
    }

    /// Reads the token.
    ///
    /// # Errors
    /// A sentence for the operator, saying where a token was looked for.
    pub fn read(&self) -> Result<String, String> {
        match self {
            Self::Given(token) => Ok(token.clone()),
            Self::File(path) => read_file(path).map_err(|error| format!("{}: {error}.", path.display())),
            Self::Search(paths) => {
                let mut looked = Vec::new();
                for path in paths {
                    match read_file(path) {
                        Ok(token) => return Ok(token),
                        Err(error) => looked.push(format!("{} ({error})", path.display())),
                    }
                }
                Err(format!("Looked for one in {}.", looked.join(", ")))
            }
            Self::Remote => Err("For a server on another machine name one with --token-file or --token.".to_owned()),
        }
    }
}

fn read_file(path: &Path) -> Result<String, String> {
    let metadata = std::fs::metadata(path).map_err(|error| reason(&error))?;
    if metadata.len() > MAX_TOKEN_FILE {
        return Err("too large for a token".to_owned());
    }
    let text = std::fs::read_to_string(path).map_err(|error| reason(&error))?;
    let token = text.trim();
    let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    if is_token { Ok(token.to_owned()) } else { Err("holds no token".to_owned()) }
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "may not be read".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_readable_file_has_the_token() {
        let folder = tempfile::tempdir().unwrap();
        let (absent, present) = (folder.path().join("absent"), folder.path().join("present"));
        let source = TokenSource::Search(vec![absent.clone(), present.clone()]);
        let error = source.read().unwrap_err();
        assert!(error.contains("absent (no such file)") && error.contains("present (no such file)"), "{error}");

        std::fs::write(&present, "  secret-1\n").unwrap();
        assert_eq!(source.read().unwrap(), "secret-1");
        std::fs::write(&absent, "secret-2").unwrap();
        assert_eq!(source.read().unwrap(), "secret-2", "read again at each try");
    }

    #[test]
    fn invalid_tokens_are_refused_with_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        for (content, reason) in
            [(" \n", "holds no token"), ("two lines\nhere", "holds no token"), (&*"x".repeat(5_000), "too large")]
        {
            std::fs::write(&path, content).unwrap();
            let error = TokenSource::File(path.clone()).read().unwrap_err();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn debug_output_hides_the_token() {
        assert!(!format!("{:?}", TokenSource::Given("secret".to_owned())).contains("secret"));
    }
}
