//! Keys that have another name since some version, and files that still have the old one.

use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::layers::SECRETS;

/// A key under its old name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Renamed {
    pub old: &'static str,
    pub new: &'static str,
    /// The version with the new name.
    pub since: &'static str,
}

/// A line for each key that ever got another name. No key has so far.
pub const RENAMED: &[Renamed] = &[];

/// The new name of a key, or of the file that has its value.
pub fn new_name(renamed: &[Renamed], key: &str) -> Option<(String, &'static str)> {
    renamed.iter().find_map(|it| {
        if it.old == key {
            return Some((it.new.to_owned(), it.since));
        }
        let is_file = SECRETS.contains(&it.new) && key.strip_suffix("_file") == Some(it.old);
        is_file.then(|| (format!("{}_file", it.new), it.since))
    })
}

/// A change of a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Change {
    pub old: String,
    pub new: String,
    pub since: &'static str,
}

/// A configuration file with its keys under their new names, and what was changed. Comments, order and everything else
/// stay as they are, also a section that is empty then.
///
/// # Errors
/// It is not TOML; or it has a key under both names. A text for operators.
pub fn migrate(text: &str, renamed: &[Renamed]) -> Result<(String, Vec<Change>), String> {
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| super::layers::one_line(error.message()))?;
    let mut changes = vec![];
    for Renamed { old, new, since } in renamed {
        let forms = [(old.to_string(), new.to_string()), (format!("{old}_file"), format!("{new}_file"))];
        for (old, new) in &forms[..if SECRETS.contains(new) { 2 } else { 1 }] {
            if move_key(document.as_table_mut(), old, new)? {
                changes.push(Change { old: old.clone(), new: new.clone(), since });
            }
        }
    }
    Ok((document.to_string(), changes))
}

/// Whether there was such a key.
fn move_key(root: &mut Table, old: &str, new: &str) -> Result<bool, String> {
    let (section, name) = split(old);
    let Some(from) = table(root, section) else { return Ok(false) };
    if !from.contains_key(name) {
        return Ok(false);
    }
    let (new_section, new_name) = split(new);
    if table(root, new_section).is_some_and(|to| to.contains_key(new_name)) {
        return Err(format!("{old} and {new}, its new name, are both given; keep one of them"));
    }
    let Some(from) = table(root, section) else { return Ok(false) };
    // Above the key are its comments.
    let decor = from.key(name).map(|key| key.leaf_decor().clone());
    let Some(item) = from.remove(name) else { return Ok(false) };
    let to = table_or_new(root, new_section).ok_or_else(|| format!("{new_section} is not a section"))?;
    to.insert(new_name, item);
    if let (Some(mut key), Some(decor)) = (to.key_mut(new_name), decor) {
        *key.leaf_decor_mut() = decor;
    }
    Ok(true)
}

fn split(key: &str) -> (&str, &str) {
    key.rsplit_once('.').unwrap_or(("", key))
}

fn parts(section: &str) -> impl Iterator<Item = &str> {
    section.split('.').filter(|part| !part.is_empty())
}

fn table<'a>(root: &'a mut Table, section: &str) -> Option<&'a mut dyn TableLike> {
    let mut found: &mut dyn TableLike = root;
    for part in parts(section) {
        found = found.get_mut(part)?.as_table_like_mut()?;
    }
    Some(found)
}

fn table_or_new<'a>(root: &'a mut Table, section: &str) -> Option<&'a mut dyn TableLike> {
    let mut found: &mut dyn TableLike = root;
    for part in parts(section) {
        if !found.contains_key(part) {
            let mut made = Table::new();
            // Without a line of its own while it has only sections.
            made.set_implicit(true);
            found.insert(part, Item::Table(made));
        }
        found = found.get_mut(part)?.as_table_like_mut()?;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOVED: &[Renamed] = &[
        Renamed { old: "server.address", new: "server.listen", since: "0.2.0" },
        Renamed { old: "smtp.pass", new: "mail.password", since: "0.3.0" },
    ];

    #[test]
    fn keys_are_renamed_and_nothing_else_is_changed() {
        let text = "# Ours.\ndata_dir = \"/srv\" # here\n\n[server]\n# Where.\naddress = \"0.0.0.0:80\"   # all\nworkers = 3\n\n\
                    [smtp]\npass_file = '/etc/p'\n\n[log]\nlevel = \"info\"\n";
        let (changed, changes) = migrate(text, MOVED).unwrap();
        let expected = "# Ours.\ndata_dir = \"/srv\" # here\n\n[server]\nworkers = 3\n# Where.\nlisten = \"0.0.0.0:80\"   # all\n\n[smtp]\n\n\
                        [log]\nlevel = \"info\"\n\n[mail]\npassword_file = '/etc/p'\n";
        assert_eq!(changed.replace("\n\n\n", "\n\n"), expected);
        let named: Vec<_> =
            changes.iter().map(|change| (change.old.as_str(), change.new.as_str(), change.since)).collect();
        assert_eq!(
            named,
            [("server.address", "server.listen", "0.2.0"), ("smtp.pass_file", "mail.password_file", "0.3.0")]
        );
        assert_eq!(migrate(&changed, MOVED).unwrap(), (changed, vec![]));
    }

    #[test]
    fn dotted_and_inline_keys_are_renamed_too() {
        let (changed, _) = migrate("server.address = '[::]:80'\n", MOVED).unwrap();
        assert_eq!(changed.parse::<toml::Table>().unwrap()["server"]["listen"].as_str(), Some("[::]:80"));
        let (changed, _) = migrate("server = { address = '[::]:80', a = 1 }\nsmtp = { pass = 'x' }\n", MOVED).unwrap();
        let read: toml::Table = changed.parse().unwrap();
        assert_eq!(read["server"]["listen"].as_str(), Some("[::]:80"), "{changed}");
        assert_eq!(read["mail"]["password"].as_str(), Some("x"), "{changed}");
    }

    #[test]
    fn what_cannot_be_renamed_is_told() {
        let both = migrate("[server]\naddress = 'a'\nlisten = 'b'\n", MOVED).unwrap_err();
        assert_eq!(both, "server.address and server.listen, its new name, are both given; keep one of them");
        migrate("[server\n", MOVED).unwrap_err();
        assert!(migrate("mail = 1\n[smtp]\npass = 'x'\n", MOVED).unwrap_err().contains("mail is not a section"));
        let untouched = "server = 3\nsmtp = [1]\n";
        assert_eq!(migrate(untouched, MOVED).unwrap(), (untouched.to_owned(), vec![]));
    }

    #[test]
    fn a_key_and_its_file_have_new_names() {
        assert_eq!(new_name(MOVED, "server.address"), Some(("server.listen".to_owned(), "0.2.0")));
        assert_eq!(new_name(MOVED, "smtp.pass_file"), Some(("mail.password_file".to_owned(), "0.3.0")));
        assert_eq!(new_name(MOVED, "server.address_file"), None);
        let known: toml::Table = super::super::DEFAULT_CONFIG.parse().unwrap();
        for Renamed { old, new, .. } in RENAMED {
            let find = |key: &str| {
                key.split('.').try_fold(&toml::Value::Table(known.clone()), |at, part| at.get(part)).is_some()
            };
            assert!(find(new) && !find(old), "{old} is {new} now");
        }
    }
}
