//! Checks the imports between a crate's top-level modules against its layers.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The modules of a crate by layer, the lowest first; modules of one layer do not import each other.
pub type Layers<'a> = &'a [&'a [&'a str]];

/// Fails on an import from the same or a higher layer.
pub fn assert_imports_go_down(source: &Path, layers: Layers<'_>) {
    let layer_of = |module: &str| layers.iter().position(|layer| layer.contains(&module));
    let mut upward = vec![];
    for (file, module) in files(source) {
        let Some(layer) = layer_of(&module) else { continue };
        for imported in imports(&fs::read_to_string(&file).unwrap()) {
            if imported != module && layer_of(&imported).is_some_and(|other| other >= layer) {
                upward.push(format!("{} imports {imported}", file.strip_prefix(source).unwrap().display()));
            }
        }
    }
    assert!(upward.is_empty(), "these imports go up, or stay on their layer:\n{}", upward.join("\n"));
}

/// Fails on a module without a layer, and on a listed module that does not exist.
pub fn assert_every_module_has_a_layer(source: &Path, layers: Layers<'_>) {
    let modules: BTreeSet<_> = files(source).into_values().collect();
    let known: BTreeSet<_> = layers.iter().flat_map(|layer| layer.iter().map(|&name| name.to_owned())).collect();
    let roots = BTreeSet::from(["lib".to_owned(), "main".to_owned()]);
    assert_eq!(modules.difference(&roots).cloned().collect::<BTreeSet<_>>(), known);
}

#[test]
fn imports_are_parsed() {
    let source = "
        //! Not [`crate::cli`].
        use crate::{
            app::App,
            config::{Config, Origin},
        };
        use crate::clock::Clock;
        fn f() { crate::play::f() }
        #[cfg(test)]
        mod tests { use crate::demo; }
    ";
    let expected = ["app", "clock", "config", "play"].map(str::to_owned);
    assert_eq!(imports(source), BTreeSet::from(expected));
}

/// Every file, with the top module that it belongs to.
pub fn files(source: &Path) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![source.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && path.file_stem().unwrap() != "tests"
            {
                let first = path.strip_prefix(source).unwrap().components().next().unwrap();
                let name = first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned();
                found.insert(path, name);
            }
        }
    }
    found
}

/// The top modules of this crate that a file names outside of comments and of its tests, which stand last.
fn imports(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap().trim());
    let code = lines.collect::<Vec<_>>().join("\n");
    let code = code.split("#[cfg(test)]\nmod tests").next().unwrap();
    let mut found = BTreeSet::new();
    for part in code.split("crate::").skip(1) {
        match part.strip_prefix('{') {
            Some(group) => found.extend(names_of_group(group)),
            None => found.extend(name(part)),
        }
    }
    found
}

/// The first name of each path of `{a::b, c::{d, e}}`, from behind the first brace on.
fn names_of_group(group: &str) -> Vec<String> {
    let (mut depth, mut found, mut rest) = (0_usize, vec![], true);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => rest = true,
            _ if rest && !character.is_whitespace() => {
                found.extend(name(&group[at..]));
                rest = false;
            }
            _ => {}
        }
    }
    found
}

fn name(path: &str) -> Option<String> {
    let end = path.find(|character: char| !character.is_alphanumeric() && character != '_').unwrap_or(path.len());
    let name = &path[..end];
    (name.chars().next().is_some_and(char::is_lowercase)).then(|| name.to_owned())
}
