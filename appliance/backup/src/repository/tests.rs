use tempfile::TempDir;

use super::*;
use crate::{
    log::{self, Piece},
    restore::restore,
    tail,
    target::BucketOptions,
};

const NOW: i64 = 1_800_000_000;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

/// A data folder and a target.
struct Place {
    data: TempDir,
    target: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { data: TempDir::new().unwrap(), target: TempDir::new().unwrap() };
        place.write("db/sstables/1.sst", "table one");
        place.write("db/manifest/1", "manifest");
        place.write("secret.key", "a secret");
        place
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.data.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn target(&self) -> Target {
        Target::at(self.target.path().to_str().unwrap(), &BucketOptions::default()).unwrap()
    }

    fn repository(&self, passphrase: Option<&str>) -> Repository {
        Repository::open(&self.target(), "server", passphrase).unwrap()
    }

    fn create(&self, repository: &Repository, seconds: i64) -> Manifest {
        self.create_at(repository, at(seconds))
    }

    fn create_at(&self, repository: &Repository, at: DateTime<Utc>) -> Manifest {
        let paths = ["db/sstables/1.sst", "db/manifest/1", "secret.key"];
        let files = paths.map(|path| (path.to_owned(), self.data.path().join(path))).into();
        repository.create(&Source { files, ..source(at, None) }, at, || true).unwrap()
    }

    /// Every file at the target.
    fn stored(&self) -> Vec<PathBuf> {
        fn below(folder: &Path, all: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { below(&path, all) } else { all.push(path) }
            }
        }
        let mut all = vec![];
        below(self.target.path(), &mut all);
        all.retain(|path| !path.ends_with(".lock"));
        all.sort();
        all
    }
}

fn source(at: DateTime<Utc>, own: Option<&BTreeSet<BackupId>>) -> Source<'_> {
    let (files, id) = (BTreeMap::new(), BackupId::new(at));
    Source { files, settings: None, database: "db", first_segment: 5, version: "0.1.0", host: "here", id, own }
}

fn part(seconds: i64, segment: u64, offset: u64, text: &str) -> LogPart {
    let piece = Piece { at: seconds * 1000, segment, offset, bytes: text.as_bytes().to_vec() };
    LogPart { pieces: vec![piece] }
}

fn ids(repository: &Repository) -> Vec<BackupId> {
    repository.list().unwrap().manifests.into_iter().map(|manifest| manifest.id).collect()
}

fn segment(into: &TempDir, number: u64) -> String {
    fs::read_to_string(into.path().join(format!("db/wal/{number:020}.wal"))).unwrap_or_default()
}

#[test]
fn a_backup_is_restored_to_its_end_and_to_any_moment() {
    for passphrase in [None, Some("horse")] {
        let place = Place::new();
        let repository = place.repository(passphrase);
        let manifest = place.create(&repository, NOW);
        for (number, part) in
            [part(NOW + 10, 5, 0, "ab"), part(NOW + 20, 5, 2, "cd"), part(NOW + 30, 6, 0, "e")].iter().enumerate()
        {
            repository.append(&manifest.id, number as u64, part).unwrap();
        }
        let repository = place.repository(passphrase);
        let manifest = repository.get(&manifest.id).unwrap();
        let into = TempDir::new().unwrap();
        let restored = restore(&repository, &manifest, None, into.path()).unwrap();
        assert_eq!(restored.log_end.map(|end| (end.segment, end.offset)), Some((6, 1)));
        assert_eq!((restored.until, restored.missing, restored.files), (at(NOW + 30), None, 3));
        assert_eq!((segment(&into, 5), segment(&into, 6)), ("abcd".to_owned(), "e".to_owned()));
        assert_eq!(fs::read_to_string(into.path().join("secret.key")).unwrap(), "a secret");
        let into = TempDir::new().unwrap();
        let restored = restore(&repository, &manifest, Some(at(NOW + 25)), into.path()).unwrap();
        assert_eq!(
            (restored.until, segment(&into, 5), segment(&into, 6)),
            (at(NOW + 20), "abcd".to_owned(), String::new())
        );
    }
}

#[test]
fn a_restore_refuses_data_and_moments_before_the_backup() {
    let place = Place::new();
    let repository = place.repository(None);
    let manifest = place.create(&repository, NOW);
    assert!(matches!(restore(&repository, &manifest, None, place.data.path()), Err(BackupError::NotEmpty(_))));
    let into = TempDir::new().unwrap();
    let early = restore(&repository, &manifest, Some(at(NOW - 1)), into.path());
    assert!(matches!(early, Err(BackupError::TooEarly { .. })));
    let unknown = BackupId::parse("20200101T000000Z-abcd").unwrap();
    assert!(matches!(repository.get(&unknown), Err(BackupError::Unknown { .. })));
}

#[test]
fn a_gap_in_the_log_ends_the_restore_before_it() {
    let place = Place::new();
    let repository = place.repository(None);
    let manifest = place.create(&repository, NOW);
    repository.append(&manifest.id, 0, &part(NOW + 10, 5, 0, "ab")).unwrap();
    repository.append(&manifest.id, 1, &part(NOW + 20, 5, 3, "d")).unwrap();
    let into = TempDir::new().unwrap();
    let restored = restore(&repository, &manifest, None, into.path()).unwrap();
    assert!(restored.missing.is_some());
    assert_eq!(segment(&into, 5), "ab");
}

#[test]
fn a_name_that_another_server_has_used_since_is_taken() {
    let place = Place::new();
    let repository = place.repository(None);
    let mut own = BTreeSet::from([place.create(&repository, NOW).id, BackupId::new(at(NOW + 1))]);
    let create = |own: &BTreeSet<BackupId>| repository.create(&source(at(NOW + 2), Some(own)), at(NOW + 2), || true);
    let of_another = create(&own).unwrap().id;
    assert!(matches!(create(&own), Err(BackupError::NameTaken)));
    own.insert(of_another);
    own.insert(create(&own).unwrap().id);
    // One of a newer version, perhaps.
    fs::write(place.target.path().join(format!("server/backups/{}.json", BackupId::new(at(NOW)))), "").unwrap();
    assert!(matches!(create(&own), Err(BackupError::NameTaken)));
}

#[test]
fn a_backup_that_is_withdrawn_never_stands() {
    let place = Place::new();
    let repository = place.repository(None);
    let withdrawn = repository.create(&source(at(NOW), None), at(NOW), || false);
    assert!(matches!(withdrawn, Err(BackupError::Withdrawn)));
    assert!(repository.list().unwrap().manifests.is_empty());
    // The lock is free again.
    place.create(&repository, NOW);
}

#[test]
fn what_a_killed_process_left_is_added_across_gaps_of_the_log() {
    let place = Place::new();
    let repository = place.repository(None);
    let manifest = place.create(&repository, NOW);
    repository.append(&manifest.id, 0, &part(NOW + 1, 5, 0, "ab")).unwrap();
    let left = TempDir::new().unwrap();
    fs::write(log::path(left.path(), 7), "ef").unwrap();
    assert_eq!(tail::append(&repository, &manifest, left.path()).unwrap(), 0, "it may not continue it");
    fs::write(log::path(left.path(), 5), "abcd").unwrap();
    assert_eq!(tail::append(&repository, &manifest, left.path()).unwrap(), 4);
    let into = TempDir::new().unwrap();
    let restored = restore(&repository, &manifest, None, into.path()).unwrap();
    assert_eq!((segment(&into, 5), segment(&into, 7)), ("abcd".to_owned(), "ef".to_owned()));
    assert_eq!(restored.log_end.unwrap().to_string(), "7/2");
}

#[test]
fn a_segment_that_was_begun_and_not_linked_yet_is_kept() {
    let place = TempDir::new().unwrap();
    let [links, log, kept] = ["links", "wal", "tail"].map(|name| place.path().join(name));
    let names = || log::numbers(&kept).unwrap();
    for folder in [&links, &log] {
        fs::create_dir(folder).unwrap();
    }
    // Nothing was followed.
    fs::write(log::path(&log, 3), "c").unwrap();
    tail::keep(&links, &log, &kept).unwrap();
    assert!(!kept.exists());
    for (folder, number, text) in [(&links, 1, "a"), (&links, 2, "b"), (&log, 2, "b"), (&log, 4, "d"), (&log, 6, "f")] {
        fs::write(log::path(folder, number), text).unwrap();
    }
    tail::keep(&links, &log, &kept).unwrap();
    assert_eq!(names(), [1, 2, 3, 4], "not what is behind a gap");
    assert_eq!(fs::read_to_string(log::path(&kept, 4)).unwrap(), "d");
    fs::remove_file(log::path(&log, 3)).unwrap();
    tail::keep(&links, &log, &kept).unwrap();
    assert_eq!(names(), [1, 2]);
}

#[test]
fn a_file_is_stored_once_and_removed_with_the_last_backup_that_has_it() {
    let place = Place::new();
    let repository = place.repository(None);
    let first = place.create(&repository, NOW);
    assert_eq!(first.stored_bytes, 25);
    place.write("db/manifest/1", "changed");
    let second = place.create(&repository, NOW + 86_400 * 40);
    assert_eq!(second.stored_bytes, 7);
    repository.append(&first.id, 0, &LogPart::default()).unwrap();
    let keep = Keep { days: 1, weeks: 0, months: 0 };
    let pruned = repository.prune(keep, at(NOW + 86_400 * 40)).unwrap();
    assert_eq!((pruned.backups, pruned.objects), (vec![first.id.clone()], 1));
    assert_eq!(repository.parts(&first.id).unwrap(), 0);
    let into = TempDir::new().unwrap();
    restore(&repository, &second, None, into.path()).unwrap();
    assert_eq!(fs::read_to_string(into.path().join("db/manifest/1")).unwrap(), "changed");
}

#[test]
fn backups_of_one_second_are_in_the_order_of_their_making() {
    let place = Place::new();
    let repository = place.repository(None);
    let times = (0..8).map(|number| at(NOW) + TimeDelta::milliseconds(100 * number));
    let made: Vec<_> = times.map(|at| place.create_at(&repository, at).id).collect();
    assert_eq!(ids(&repository), made);
}

#[test]
fn the_order_is_that_of_their_making_whatever_the_clock_said() {
    let place = Place::new();
    let repository = place.repository(None);
    let day = 86_400;
    // The clock was ahead by a year, and then behind by a month.
    let made = [NOW, NOW + 365 * day, NOW + 60, NOW - 30 * day, NOW + 120].map(|at| place.create(&repository, at));
    assert_eq!(made.each_ref().map(|manifest| manifest.number), [1, 2, 3, 4, 5]);
    assert_eq!(ids(&repository), made.each_ref().map(|manifest| manifest.id.clone()));
    repository.prune(Keep { days: 0, weeks: 0, months: 0 }, at(NOW + 120)).unwrap();
    assert_eq!(ids(&repository), [0, 2, 4].map(|index: usize| made[index].id.clone()), "those of the last day");
}

#[test]
fn a_log_whose_clock_was_set_is_restored_to_any_moment() {
    let place = Place::new();
    let repository = place.repository(None);
    let manifest = place.create(&repository, NOW);
    let year = 365 * 86_400;
    let parts = [(NOW + 10, "a"), (NOW + year, "b"), (NOW + 30, "c"), (NOW + 40, "d")];
    for (number, (at, text)) in parts.into_iter().enumerate() {
        repository.append(&manifest.id, number as u64, &part(at, 5, number as u64, text)).unwrap();
    }
    for (until, expected, as_of) in [
        (Some(NOW + 5), "", NOW),
        (Some(NOW + 20), "a", NOW + 10),
        (Some(NOW + 35), "abc", NOW + 30),
        (Some(NOW + 50), "abcd", NOW + 40),
        (None, "abcd", NOW + 40),
    ] {
        let into = TempDir::new().unwrap();
        let restored = restore(&repository, &manifest, until.map(at), into.path()).unwrap();
        assert_eq!((segment(&into, 5).as_str(), restored.until), (expected, at(as_of)), "{until:?}");
        assert_eq!(restored.has_later, until.is_some() && expected.contains('b'), "{until:?}");
    }
}

#[test]
fn a_backup_that_cannot_be_read_is_told_and_its_files_are_kept() {
    let place = Place::new();
    let repository = place.repository(None);
    let [old, newer, damaged] = [0, 40, 80].map(|days| {
        place.write("db/manifest/1", &format!("after {days} days"));
        place.create(&repository, NOW + 86_400 * days)
    });
    let path = |manifest: &Manifest| place.target.path().join("server").join(manifest_name(&manifest.id));
    let text = fs::read_to_string(path(&newer)).unwrap();
    fs::write(path(&newer), text.replacen("\"format\": 2", "\"format\": 3", 1)).unwrap();
    fs::write(path(&damaged), "").unwrap();
    let listing = repository.list().unwrap();
    let causes: Vec<_> = listing.unreadable.iter().map(|unreadable| unreadable.cause.to_string()).collect();
    assert!(
        causes[0].contains("install the newer morpion") && causes[1].contains("choose another backup"),
        "{causes:?}"
    );
    assert_eq!(listing.manifests.len(), 1);
    let between = |after, until: i64| {
        let found = repository.list().unwrap().unreadable_between(after, Some(at(until)));
        found.map(|unreadable| unreadable.id)
    };
    let id = |manifest: &Manifest| Some(manifest.id.clone());
    assert_eq!(between(Some(&old), NOW + 86_400 * 30), None);
    assert_eq!(between(Some(&old), NOW + 86_400 * 40), id(&newer));
    assert_eq!(between(Some(&newer), NOW + 86_400 * 90), id(&damaged));
    // Its number counts, and not its name.
    assert_eq!(between(Some(&Manifest { number: 2, ..old.clone() }), NOW + 86_400 * 50), None);
    fs::create_dir(path(&newer).with_file_name("20200101T000000Z-fold.json")).unwrap();
    fs::write(path(&newer).with_file_name("README"), "").unwrap();
    assert_eq!(repository.list().unwrap().unreadable.len(), 3, "a folder is one, too");
    let last = place.create(&repository, NOW + 86_400 * 120);
    assert_eq!(last.number, 3, "the damaged one has no number any more");
    let pruned = repository.prune(Keep { days: 0, weeks: 0, months: 0 }, at(NOW + 86_400 * 120)).unwrap();
    assert_eq!((pruned.backups, pruned.objects, pruned.unreadable.len()), (vec![old.id], 0, 3));
    fs::write(path(&newer), text).unwrap();
    let into = TempDir::new().unwrap();
    restore(&repository, &repository.get(&newer.id).unwrap(), None, into.path()).unwrap();
    assert_eq!(ids(&repository), [newer.id, last.id]);
}

#[test]
fn what_format_1_made_is_read() {
    let place = Place::new();
    let repository = place.repository(Some("horse"));
    let made = place.create(&repository, NOW);
    let path = place.target.path().join("server").join(manifest_name(&made.id));
    let old = Manifest { format: 1, number: 0, ..made }.signed(&repository.seal);
    let text = serde_json::to_string_pretty(&old).unwrap();
    assert!(!text.contains("number"), "{text}");
    fs::write(path, text).unwrap();
    assert_eq!(repository.get(&old.id).unwrap(), old);
    // By the clock before the others, and by their number behind it.
    let new = place.create(&repository, NOW - 60);
    assert_eq!((new.number, ids(&repository)), (1, vec![old.id, new.id]));
}

#[test]
fn what_others_keep_at_a_target_is_left_out() {
    let place = Place::new();
    place.create(&place.repository(None), NOW);
    fs::write(place.target.path().join("README"), "").unwrap();
    fs::create_dir(place.target.path().join("lost+found")).unwrap();
    fs::write(place.target.path().join("lost+found/backups"), "no folder").unwrap();
    fs::create_dir(place.target.path().join("photos")).unwrap();
    let all = Repository::all(&place.target()).unwrap();
    assert_eq!(all.iter().map(|(server, _)| server.as_str()).collect::<Vec<_>>(), ["server"]);
}

#[test]
fn the_newest_of_each_day_week_and_month_is_kept() {
    let place = Place::new();
    let repository = place.repository(None);
    let day = 86_400;
    let times = (0..100).flat_map(|days| [NOW + day * days, NOW + day * days + 3600]);
    let all: Vec<Manifest> = times.map(|seconds| place.create(&repository, seconds)).collect();
    let now = at(NOW + day * 99 + 7200);
    let keep = Keep::parse("7d, 4w, 6m").unwrap();
    repository.prune(keep, now).unwrap();
    let left: Vec<_> = repository.list().unwrap().manifests.into_iter().map(|manifest| manifest.at).collect();
    // Both of the last day, the later ones of the six days before, and of two more weeks and three more months.
    assert_eq!(left.len(), 2 + 6 + 2 + 3, "{left:?}");
    assert!(left.contains(&all[199].at) && left.contains(&all[198].at) && !left.contains(&all[196].at));
    repository.prune(Keep::parse("0d").unwrap(), now + TimeDelta::days(400)).unwrap();
    assert_eq!(ids(&repository), [all[199].id.clone()], "the newest stays");
}

#[test]
fn rules_of_keeping_are_read() {
    assert_eq!(Keep::parse("7d, 4w, 6m"), Some(Keep { days: 7, weeks: 4, months: 6 }));
    assert_eq!(Keep::parse("12m"), Some(Keep { days: 0, weeks: 0, months: 12 }));
    for text in ["", "7", "d", "7y", "-1d", "7d,,"] {
        assert_eq!(Keep::parse(text), None, "{text}");
    }
}

#[test]
fn every_flipped_or_missing_file_is_found() {
    for passphrase in [None, Some("horse")] {
        let place = Place::new();
        let repository = place.repository(passphrase);
        let manifest = place.create(&repository, NOW);
        repository.append(&manifest.id, 0, &part(NOW + 10, 5, 0, "ab")).unwrap();
        let check = || -> Result<bool> {
            let repository = Repository::open(&place.target(), "server", passphrase)?;
            let manifest = repository.get(&manifest.id)?;
            let into = TempDir::new().unwrap();
            Ok(restore(&repository, &manifest, None, into.path())?.missing.is_none())
        };
        assert!(check().unwrap());
        for file in place.stored() {
            let whole = fs::read(&file).unwrap();
            for at in [0, whole.len() / 2, whole.len() - 1] {
                let mut flipped = whole.clone();
                flipped[at] ^= 1;
                fs::write(&file, &flipped).unwrap();
                // A flip of the key file's white space means nothing.
                let harmless = file.ends_with(KEY) || flipped[at].is_ascii_whitespace();
                assert!(harmless || !matches!(check(), Ok(true)), "{} at {at}", file.display());
            }
            fs::remove_file(&file).unwrap();
            assert!(
                !matches!(check(), Ok(true)) || file.starts_with(place.target.path().join("server/log")),
                "{}",
                file.display()
            );
            fs::write(&file, whole).unwrap();
        }
    }
}

#[test]
fn a_passphrase_belongs_to_all_backups_of_a_server() {
    let place = Place::new();
    place.create(&place.repository(Some("horse")), NOW);
    let open = |passphrase| Repository::open(&place.target(), "server", passphrase);
    assert!(matches!(open(None), Err(BackupError::PassphraseNeeded)));
    assert!(matches!(open(Some("cow")), Err(BackupError::WrongPassphrase)));
    let plain = Place::new();
    plain.create(&plain.repository(None), NOW);
    assert!(matches!(Repository::open(&plain.target(), "server", Some("horse")), Err(BackupError::NotEncrypted)));
    for file in place.stored() {
        let text = fs::read(&file).unwrap();
        assert!(!text.windows(8).any(|part| part == b"a secret"), "{}", file.display());
    }
}

#[test]
fn two_servers_share_a_target() {
    let place = Place::new();
    place.create(&place.repository(None), NOW);
    let other = Repository::open(&place.target(), "other", Some("horse")).unwrap();
    place.create(&other, NOW + 1);
    let all = Repository::all(&place.target()).unwrap();
    assert_eq!(
        all.iter()
            .map(|(server, backups)| (server.as_str(), backups.as_ref().unwrap().manifests.len()))
            .collect::<Vec<_>>(),
        [("other", 1), ("server", 1)]
    );
}

#[test]
fn a_target_that_cannot_be_written_is_named() {
    let place = Place::new();
    let file = place.target.path().join("file");
    fs::write(&file, "").unwrap();
    let target = Target::at(file.to_str().unwrap(), &BucketOptions::default()).unwrap();
    let files = [("secret.key".to_owned(), place.data.path().join("secret.key"))].into();
    let source = Source { files, ..source(at(NOW), None) };
    let opened = Repository::open(&target, "server", None);
    let text = opened.and_then(|repository| repository.create(&source, at(NOW), || true)).unwrap_err().to_string();
    assert!(text.contains("cannot be used"), "{text}");
}

#[test]
fn one_changes_it_at_a_time() {
    let place = Place::new();
    let repository = place.repository(None);
    let lock = repository.target.lock().unwrap();
    assert!(matches!(repository.prune(Keep { days: 0, weeks: 0, months: 0 }, at(NOW)), Err(BackupError::Busy)));
    drop(lock);
    place.create(&repository, NOW);
}
