//! The documents are consistent: links, anchors, paths, and references in code comments.

mod asvs;
mod attacks;

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write as _,
    fs,
    path::Path,
    sync::LazyLock,
};

/// Folders that git ignores, and its own, relative to the root.
const SKIPPED: [&str; 9] = [
    ".git",
    "data",
    "dist",
    "target",
    "webapp/coverage",
    "webapp/dist",
    "webapp/playwright-report",
    "webapp/screenshots",
    "webapp/test-results",
];

/// Files that are not ours, or generated.
const UNREAD: [&str; 5] =
    ["Cargo.lock", "LICENSE", "package-lock.json", "common-passwords.txt", "common-passwords.LICENSE.txt"];

/// A name in backticks with such an ending is a file name.
const FILE_ENDINGS: [&str; 14] = [
    ".css",
    ".html",
    ".json",
    ".md",
    ".mjs",
    ".rs",
    ".service",
    ".sh",
    ".surql",
    ".sysusers",
    ".tmpfiles",
    ".toml",
    ".ts",
    ".tsx",
];

/// Words that cite documents outside of the repository, split so that this file does not contain them.
const ABSENT: [[&str; 2]; 10] = [
    ["spec", " section"],
    ["the spec", "'s"],
    ["the spec", "ification"],
    ["(decis", "ions:"],
    ["(decis", "ions,"],
    ["decis", "ions section"],
    ["decis", "ions, section"],
    ["and game", "play, section"],
    ["and plat", "form, section"],
    ["the require", "ments"],
];

/// The repository's files by their path from its root.
static TREE: LazyLock<Tree> = LazyLock::new(Tree::read);

struct Tree {
    /// The text of every text file; nothing for other files.
    files: BTreeMap<String, Option<String>>,
    folders: BTreeSet<String>,
}

impl Tree {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut tree = Self { files: BTreeMap::new(), folders: BTreeSet::new() };
        tree.add(&root, "");
        tree
    }

    fn add(&mut self, folder: &Path, prefix: &str) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().expect("names are UTF-8");
            let path = format!("{prefix}{name}");
            if name == "node_modules" || SKIPPED.contains(&path.as_str()) {
                continue;
            }
            if entry.file_type().unwrap().is_dir() {
                self.add(&entry.path(), &format!("{path}/"));
                self.folders.insert(path);
            } else {
                let text = fs::read(entry.path()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
                self.files.insert(path, text.filter(|_| !UNREAD.contains(&name.as_str())));
            }
        }
    }

    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, text)| Some((path.as_str(), text.as_deref()?)))
    }

    fn documents(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts().filter(|(path, _)| has_ending(path, "md"))
    }

    fn has(&self, path: &str) -> bool {
        path.is_empty() || self.files.contains_key(path) || self.folders.contains(path)
    }

    /// Whether some path is this one or ends with it.
    fn has_somewhere(&self, path: &str) -> bool {
        let ending = format!("/{path}");
        let mut all = self.files.keys().chain(&self.folders);
        self.has(path) || all.any(|known| known.ends_with(&ending))
    }

    /// Why `path#anchor` is broken; `None` if it is valid.
    fn dead(&self, path: &str, anchor: Option<&str>) -> Option<String> {
        if !self.has(path) {
            return Some(format!("there is no {path}"));
        }
        let anchor = anchor.filter(|_| has_ending(path, "md"))?;
        let text = self.files.get(path)?.as_deref()?;
        (!anchors(text).contains(anchor)).then(|| format!("{path} has no heading #{anchor}"))
    }
}

fn has_ending(path: &str, ending: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == ending)
}

/// The lines outside of fenced blocks, numbered from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        (!is_fenced && !is_fence).then_some((index + 1, line))
    })
}

/// The line without text in backticks.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// The texts in backticks.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The anchors of a document's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    prose(text)
        .filter_map(|(_, line)| {
            let heading = line.trim_start_matches('#');
            let depth = line.len() - heading.len();
            ((1..=6).contains(&depth) && heading.starts_with(' ')).then(|| slug(heading.trim()))
        })
        .map(|slug| {
            let count = counts.entry(slug.clone()).or_default();
            *count += 1;
            if *count == 1 { slug } else { format!("{slug}-{}", *count - 1) }
        })
        .collect()
}

fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|character| character.is_alphanumeric() || " -_".contains(*character));
    kept.flat_map(char::to_lowercase).map(|character| if character == ' ' { '-' } else { character }).collect()
}

/// The targets of a line's links: `[text](target)`, `![text](target)` and `[name]: target`.
fn targets(line: &str) -> Vec<String> {
    let line = without_code(line);
    let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let defined = line.starts_with('[').then(|| line.split_once("]: ").map(|(_, target)| target)).flatten();
    let first_word = |target: &str| target.split_whitespace().next().unwrap_or_default().to_owned();
    inline.chain(defined).map(first_word).collect()
}

/// The target of a link, relative to the root; `None` if it is outside.
fn resolved(document: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// `a/{b,c}.rs` is `a/b.rs` and `a/c.rs`.
fn expanded(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((choices, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    choices.split(',').flat_map(|choice| expanded(&format!("{before}{choice}{after}"))).collect()
}

/// Whether this is a path of the repository rather than a URL, a command or a placeholder.
fn is_path(code: &str) -> bool {
    let is_plain = code.chars().all(|character| character.is_ascii_alphanumeric() || "_-./{},".contains(character));
    let first = code.split('/').next().unwrap_or_default();
    let is_ours = code.contains('/') && TREE.folders.contains(first);
    let is_named = FILE_ENDINGS.iter().any(|ending| code.strip_suffix(ending).is_some_and(|stem| !stem.is_empty()));
    let is_folder = code.ends_with('/');
    let is_elsewhere = code.starts_with(['/', '.']) || code.contains("NNNN");
    let is_made = SKIPPED.contains(&code.trim_end_matches('/'));
    is_plain && !is_elsewhere && !is_made && (is_ours || is_named || is_folder)
}

/// Documents that a text refers to by path from the root, such as `docs/README.md`, with the anchor if there is one.
fn pointers(line: &str) -> Vec<(&str, Option<&str>)> {
    let is_inside = |character: char| character.is_ascii_alphanumeric() || "_-./".contains(character);
    let mut found = vec![];
    for (start, _) in line.match_indices("docs/") {
        if line[..start].ends_with(is_inside) {
            continue;
        }
        let rest = &line[start..];
        let path = rest.split(|character| !is_inside(character)).next().unwrap_or_default();
        let Some(end) = path.find(".md").map(|end| end + ".md".len()) else { continue };
        let anchor = rest[end..].strip_prefix('#').map(|anchor| {
            let is_of_anchor = |character: char| character.is_alphanumeric() || "-_".contains(character);
            anchor.split(|character| !is_of_anchor(character)).next().unwrap_or_default()
        });
        found.push((&path[..end], anchor));
    }
    found
}

/// A line of a comment or of prose without its marker.
fn bare(line: &str) -> &str {
    line.trim_start_matches(|character: char| character.is_whitespace() || "/!*#-".contains(character)).trim_end()
}

fn assert_none(wrong: &[String]) {
    let list = wrong.iter().fold(String::new(), |mut list, each| {
        let _ = write!(list, "\n  {each}");
        list
    });
    assert!(wrong.is_empty(), "{} to be corrected:{list}", wrong.len());
}

#[test]
fn the_documented_proxies_are_those_that_are_tried() {
    let document = TREE.files["docs/hosting/reverse-proxies.md"].as_deref().unwrap();
    for tried in ["scripts/proxies/Caddyfile", "scripts/proxies/nginx.conf"] {
        assert!(
            document.contains(TREE.files[tried].as_deref().unwrap()),
            "docs/hosting/reverse-proxies.md does not contain {tried}"
        );
    }
}

#[test]
fn the_data_of_this_version_is_kept_for_the_next() {
    let fixture = concat!("appliance/store/tests/data/released/", env!("CARGO_PKG_VERSION"));
    assert!(TREE.has(fixture), "there is no {fixture}; its test says how it is made");
}

#[test]
fn links_in_documents_resolve() {
    let mut wrong = vec![];
    for (document, text) in TREE.documents() {
        for (number, line) in prose(text) {
            for target in targets(line).iter().filter(|target| !target.contains(':')) {
                let (path, anchor) = match target.split_once('#') {
                    Some((path, anchor)) => (path, Some(anchor)),
                    None => (target.as_str(), None),
                };
                let path = if path.is_empty() { Some(document.to_owned()) } else { resolved(document, path) };
                let dead = path.map_or(Some("above the root".to_owned()), |path| TREE.dead(&path, anchor));
                wrong.extend(dead.map(|why| format!("{document}:{number}: {target}: {why}")));
            }
        }
    }
    assert_none(&wrong);
}

#[test]
fn paths_in_documents_exist() {
    let is_guide = |path: &str| path.starts_with("docs/") || ["ARCHITECTURE.md", "CONTRIBUTING.md"].contains(&path);
    let mut wrong = vec![];
    for (document, text) in TREE.documents().filter(|(path, _)| is_guide(path)) {
        for (number, line) in prose(text) {
            let paths = code(line).filter(|code| is_path(code)).flat_map(expanded);
            let missing = paths.filter(|path| !TREE.has_somewhere(path.trim_end_matches('/')));
            wrong.extend(missing.map(|path| format!("{document}:{number}: there is no {path}")));
        }
    }
    assert_none(&wrong);
}

#[test]
fn links_to_headings_resolve() {
    let mut wrong = vec![];
    for (file, text) in TREE.texts() {
        for (index, line) in text.lines().enumerate() {
            let dead = pointers(line).into_iter().filter_map(|(path, anchor)| TREE.dead(path, anchor));
            wrong.extend(dead.map(|why| format!("{file}:{}: {why}", index + 1)));
        }
    }
    assert_none(&wrong);
}

#[test]
fn cited_documents_exist() {
    let absent = ABSENT.map(|parts| parts.concat());
    let mut wrong = vec![];
    for (file, text) in TREE.texts() {
        let lines: Vec<&str> = text.lines().map(bare).collect();
        for (index, line) in lines.iter().enumerate() {
            // A citation may continue in the next line.
            let next = lines.get(index + 1).copied().unwrap_or_default();
            let both = format!("{line} {next}").to_lowercase();
            let cited = absent.iter().find(|words| both.find(words.as_str()).is_some_and(|at| at < line.len()));
            wrong.extend(cited.map(|words| format!("{file}:{}: '{words}'", index + 1)));
        }
    }
    assert_none(&wrong);
}

#[test]
fn the_checks_parse_links_and_headings() {
    assert_eq!(slug("Still there?"), "still-there");
    assert_eq!(slug("2. A journal, with `group commit`"), "2-a-journal-with-group-commit");
    let text = "# One\n\n## Two\n```sh\n# none\n```\n## Two\n#none\n";
    assert_eq!(anchors(text), ["one", "two", "two-1"].map(str::to_owned).into());
    assert_eq!(targets("[a](b.md#c), `[d](e)` and ![f](g.png \"h\")"), ["b.md#c", "g.png"]);
    assert_eq!(targets("[a]: b.md"), ["b.md"]);
    assert_eq!(resolved("guide/a/b.md", "../c.md").as_deref(), Some("guide/c.md"));
    assert_eq!(resolved("README.md", "../c.md"), None);
    assert_eq!(expanded("a/{b,c}/{d,e}.rs"), ["a/b/d.rs", "a/b/e.rs", "a/c/d.rs", "a/c/e.rs"]);
    for path in ["appliance/src", "http/fault.rs", "envelope.rs", "play/"] {
        assert!(is_path(path), "{path}");
    }
    for other in ["/api/docs", "make test", "play::wire", "./data", "webapp/dist", "wins/losses", "NNNN_name.surql"] {
        assert!(!is_path(other), "{other}");
    }
    let (path, anchor) = (["do", "cs/none.md"].concat(), "some-where");
    assert_eq!(pointers(&format!("see `{path}#{anchor}`.")), [(path.as_str(), Some(anchor))]);
    assert_eq!(pointers(&format!("see {path}.")), [(path.as_str(), None)]);
    assert_eq!(pointers(&format!("https://example.org/{path}")), []);
    assert!(TREE.dead("ARCHITECTURE.md", Some("invariants")).is_none());
    assert!(TREE.dead("ARCHITECTURE.md", Some("none")).is_some() && TREE.dead("NONE.md", None).is_some());
}
