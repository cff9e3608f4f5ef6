//! Making the file of hashes of a published list, in any order and of any length, in bounded memory: sorted runs in
//! temporary files, merged.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::{Context, bail};

use super::{HEADER, MAGIC, hash};

/// Hexadecimal digits of a SHA-1.
const HASH_DIGITS: usize = 40;

/// Bytes of a line; no hash with its count and no password is longer.
const MAX_LINE: u64 = 4096;

/// Hashes that are sorted in memory, in 64 MiB.
const RUN: usize = 8 << 20;

/// What a line of the list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListFormat {
    /// `SHA1:COUNT`, or the SHA-1 alone, in hexadecimal digits.
    Hashes,
    /// The password itself.
    Passwords,
}

/// Makes the file `into` of a list, and returns the number of its hashes. A file that is there is replaced when the new
/// one is complete, and stays if anything fails. `progress` is told the number of lines now and then.
///
/// # Errors
/// A line is wrong; the list cannot be read, or the file not written.
pub fn import(list: impl BufRead, format: ListFormat, into: &Path, progress: impl FnMut(u64)) -> anyhow::Result<u64> {
    import_in_runs(list, format, into, progress, RUN)
}

fn import_in_runs(
    mut list: impl BufRead,
    format: ListFormat,
    into: &Path,
    mut progress: impl FnMut(u64),
    run_length: usize,
) -> anyhow::Result<u64> {
    let cannot = || format!("{} cannot be written", into.display());
    let folder = match into.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // What is unfinished vanishes with its handle.
    let mut finished = tempfile::NamedTempFile::new_in(folder).with_context(cannot)?;
    let (mut runs, mut hashes, mut line) = (Vec::new(), Vec::new(), Vec::new());
    for number in 1_u64.. {
        line.clear();
        let length = list.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
        if length.with_context(|| format!("line {number} cannot be read"))? == 0 {
            break;
        }
        hashes.extend(hash_of(&line, format).with_context(|| format!("line {number} is wrong"))?);
        if hashes.len() == run_length {
            add_run(&mut runs, &mut hashes, folder).with_context(cannot)?;
            progress(number);
        }
    }
    add_run(&mut runs, &mut hashes, folder).with_context(cannot)?;
    if runs.is_empty() {
        bail!("the list is empty");
    }
    let count = merge(runs, finished.as_file_mut()).with_context(cannot)?;
    // Under its name it is whole, after a power cut too.
    finished.as_file().sync_all().with_context(cannot)?;
    finished.persist(into).with_context(cannot)?;
    Ok(count)
}

/// The hash that a line stands for; none for an empty line of passwords.
fn hash_of(line: &[u8], format: ListFormat) -> anyhow::Result<Option<u64>> {
    let ended = line.strip_suffix(b"\n");
    if ended.is_none() && line.len() as u64 == MAX_LINE {
        bail!("it is longer than {MAX_LINE} bytes");
    }
    let line = ended.unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match format {
        ListFormat::Passwords => Ok((!line.is_empty()).then(|| hash(line))),
        ListFormat::Hashes => {
            let (digits, count) = line.split_at_checked(HASH_DIGITS).unwrap_or_default();
            let counted = match count.split_first() {
                None => true,
                Some((separator, count)) => {
                    *separator == b':' && !count.is_empty() && count.iter().all(u8::is_ascii_digit)
                }
            };
            if digits.is_empty() || !counted || !digits.iter().all(u8::is_ascii_hexdigit) {
                bail!("it is not SHA1:COUNT with the 40 hexadecimal digits of a SHA-1");
            }
            let kept = std::str::from_utf8(&digits[..16])?;
            Ok(Some(u64::from_str_radix(kept, 16)?))
        }
    }
}

/// A sorted part of the list.
struct Run {
    file: BufWriter<File>,
    last: u64,
}

/// Writes the hashes as a run, or behind the last one where a list is sorted.
fn add_run(runs: &mut Vec<Run>, hashes: &mut Vec<u64>, folder: &Path) -> io::Result<()> {
    hashes.sort_unstable();
    hashes.dedup();
    let (Some(first), Some(last)) = (hashes.first(), hashes.last()) else { return Ok(()) };
    if runs.last().is_none_or(|run| run.last > *first) {
        runs.push(Run { file: BufWriter::new(tempfile::tempfile_in(folder)?), last: *last });
    }
    if let Some(run) = runs.last_mut() {
        run.last = *last;
        for hash in hashes.drain(..) {
            run.file.write_all(&hash.to_be_bytes())?;
        }
    }
    Ok(())
}

/// Writes the whole file, each hash once, and returns how many there are.
fn merge(runs: Vec<Run>, file: &mut File) -> io::Result<u64> {
    let mut out = BufWriter::with_capacity(1 << 20, file);
    out.write_all(&[0; HEADER as usize])?;
    let mut readers = Vec::with_capacity(runs.len());
    let mut next = BinaryHeap::with_capacity(runs.len());
    for run in runs {
        let mut file = run.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let mut reader = BufReader::with_capacity(1 << 16, file);
        if let Some(hash) = read_hash(&mut reader)? {
            next.push(Reverse((hash, readers.len())));
        }
        readers.push(reader);
    }
    let (mut count, mut last) = (0_u64, None);
    while let Some(Reverse((hash, index))) = next.pop() {
        if last.replace(hash) != Some(hash) {
            out.write_all(&hash.to_be_bytes())?;
            count += 1;
        }
        if let Some(hash) = read_hash(&mut readers[index])? {
            next.push(Reverse((hash, index)));
        }
    }
    out.seek(SeekFrom::Start(0))?;
    out.write_all(&MAGIC)?;
    out.write_all(&count.to_be_bytes())?;
    let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()?;
    Ok(count)
}

fn read_hash(reader: &mut impl BufRead) -> io::Result<Option<u64>> {
    if reader.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut hash = [0; 8];
    reader.read_exact(&mut hash)?;
    Ok(Some(u64::from_be_bytes(hash)))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use sha1::{Digest, Sha1};
    use tempfile::TempDir;

    use super::*;
    use crate::account::breached::BreachedPasswords;

    /// The published line of a password.
    fn line(password: &str) -> String {
        Sha1::digest(password.as_bytes()).iter().map(|byte| format!("{byte:02X}")).collect::<String>() + ":7\r\n"
    }

    fn place() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("hashes");
        (folder, path)
    }

    #[test]
    fn exactly_the_listed_passwords_are_found_in_whatever_order_they_were() {
        let (folder, path) = place();
        for count in [1_u64, 2, 3, 1_000] {
            let mut lines: Vec<_> = (0..count).map(|number| line(&format!("Password-{number}"))).collect();
            let unsorted = lines.concat();
            lines.sort();
            for text in [unsorted.clone(), lines.concat(), unsorted.to_lowercase() + unsorted.trim_end()] {
                for run in [1, 7, 1_000_000] {
                    let made = import_in_runs(text.as_bytes(), ListFormat::Hashes, &path, |_| {}, run).unwrap();
                    assert_eq!(made, count);
                    assert_eq!(fs::metadata(&path).unwrap().len(), 16 + 8 * count);
                }
                let breached = BreachedPasswords::open(&path).unwrap();
                assert!((0..count).all(|number| breached.contains(&format!("Password-{number}")).unwrap()));
                assert!((count..2 * count).all(|number| !breached.contains(&format!("Password-{number}")).unwrap()));
            }
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else stays");
    }

    #[test]
    fn a_list_of_passwords_is_hashed() {
        let (_folder, path) = place();
        let list = b"hunter2\r\n\n pass word \nna\xefve\n\xc3\xa9t\xc3\xa9\nhunter2";
        let mut lines = vec![];
        let made = import_in_runs(&list[..], ListFormat::Passwords, &path, |line| lines.push(line), 2);
        assert_eq!(made.unwrap(), 4);
        assert_eq!(lines, [3, 5]);
        let breached = BreachedPasswords::open(&path).unwrap();
        let found = ["hunter2", " pass word ", "été", "", "pass word"].map(|text| breached.contains(text).unwrap());
        assert_eq!(found, [true, true, true, false, false]);
    }

    #[test]
    fn a_wrong_line_is_named_and_the_file_from_before_stays() {
        let (folder, path) = place();
        import(line("kept").as_bytes(), ListFormat::Hashes, &path, |_| {}).unwrap();
        let good = line("a") + &line("b");
        let hash = "0".repeat(40);
        for (text, error) in [
            (format!("{good}no hash\n"), "line 3 is wrong: it is not SHA1:COUNT"),
            (format!("{good}\n"), "line 3 is wrong: it is not SHA1:COUNT"),
            (format!("{}:1", "0".repeat(32)), "line 1 is wrong: it is not SHA1:COUNT"),
            (format!("{hash}:-1"), "line 1 is wrong: it is not SHA1:COUNT"),
            (format!("{hash}:"), "line 1 is wrong: it is not SHA1:COUNT"),
            (format!("{hash}0"), "line 1 is wrong: it is not SHA1:COUNT"),
            (format!("+{}:1", "0".repeat(39)), "line 1 is wrong: it is not SHA1:COUNT"),
            (format!("{}é:1", "0".repeat(39)), "line 1 is wrong: it is not SHA1:COUNT"),
            (good.clone() + &"0".repeat(1_000_000), "line 3 is wrong: it is longer than 4096 bytes"),
            (String::new(), "the list is empty"),
        ] {
            let refused = import_in_runs(text.as_bytes(), ListFormat::Hashes, &path, |_| {}, 1).unwrap_err();
            assert!(format!("{refused:#}").starts_with(error), "{refused:#}");
            assert!(BreachedPasswords::open(&path).unwrap().contains("kept").unwrap());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no half file stays");
        }
        let nowhere = folder.path().join("none/hashes");
        let error = import(good.as_bytes(), ListFormat::Hashes, &nowhere, |_| {}).unwrap_err();
        assert!(format!("{error:#}").contains("none/hashes cannot be written"), "{error:#}");
    }

    #[test]
    fn a_file_that_is_missing_or_damaged_is_named() {
        let (_folder, path) = place();
        let opened = || BreachedPasswords::open(&path).unwrap_err().to_string();
        assert!(opened().contains("hashes cannot be read: No such file"), "{}", opened());
        import(line("a").as_bytes(), ListFormat::Hashes, &path, |_| {}).unwrap();
        let whole = fs::read(&path).unwrap();
        let endless = [&whole[..8], &[255; 16]].concat();
        for broken in [&whole[..20], &whole[..8], b"", &[&whole[..], b"x"].concat(), &endless, line("a").as_bytes()] {
            fs::write(&path, broken).unwrap();
            let error = opened();
            assert!(error.starts_with("identity.local.breached_passwords: ") && error.contains("damaged"), "{error}");
        }
    }
}
