//! The variables of the environment that belong to Morpion, and the words of the command line.

use std::ffi::OsString;

/// What all of them begin with.
pub const PREFIX: &str = "MORPION_";

/// Names and values of Morpion's variables.
///
/// # Errors
/// The name of one that is not UTF-8, as far as it can be shown. Ignored, it would be as if nobody had set it: a server would
/// begin with a new data folder.
pub fn variables(all: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Vec<(String, String)>, String> {
    let own = all.into_iter().filter(|(name, _)| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    own.map(|(name, value)| match (name.into_string(), value.into_string()) {
        (Ok(name), Ok(value)) => Ok((name, value)),
        (Ok(name), Err(_)) => Err(name),
        (Err(name), _) => Err(name.to_string_lossy().into_owned()),
    })
    .collect()
}

/// The words of this process's command line, the program's name first; what is not UTF-8 of them is replaced. A path may be
/// such a word.
pub fn arguments() -> impl Iterator<Item = String> {
    std::env::args_os().map(|word| word.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    fn read(all: &[(&[u8], &[u8])]) -> Result<Vec<(String, String)>, String> {
        let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        variables(all.iter().map(|(name, value)| (text(name), text(value))))
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let home = (&b"HOME"[..], &b"\xff"[..]);
        let own = ("MORPION_DATA_DIR".to_owned(), "/srv".to_owned());
        assert_eq!(read(&[home, (b"MORPION_DATA_DIR", b"/srv")]), Ok(vec![own]));
        assert_eq!(read(&[(b"MORPION_DATA_DIR", b"/srv/\xff")]), Err("MORPION_DATA_DIR".to_owned()));
        assert_eq!(read(&[(b"MORPION_DATA_D\xff", b"/srv")]), Err("MORPION_DATA_D\u{fffd}".to_owned()));
    }
}
