//! Runs one target: its corpus first, then mutations of the corpus and noise, until the time is over.
//!
//! The corpus of a target is the folder `corpus/NAME`, one input a file. A failing input is made as small as it gets and
//! written there, so that it fails again until its cause is fixed, and is replayed ever after.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    strategy::ValueTree,
    test_runner::{Config, TestError, TestRunner},
};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// How long each target runs, in seconds.
const SECONDS: &str = "MORPION_FUZZ_SECONDS";

/// The largest noise, in bytes. Longer inputs come of repetitions.
const MAX_NOISE: usize = 300;

/// JSON that a field of another type, or nobody, expects.
const HOSTILE_JSON: &[&str] = &[
    "null",
    "true",
    "0",
    "-1",
    "0.5",
    "1e308",
    "255",
    "256",
    "2147483648",
    "9007199254740993",
    "-9223372036854775808",
    "18446744073709551615",
    "\"\"",
    "\" \"",
    "\"\\u0000\"",
    "\"\\u202e\\u200b\"",
    "\"\u{1F469}\u{200D}\u{1F680}e\u{301}\"",
    "\"'; DELETE user; --\"",
    "\"<script>alert(1)</script>\"",
    "\"../../etc/passwd\"",
    "\"%00%0d%0a\"",
    "\"9999-12-31T23:59:59Z\"",
    "\"-262143-01-01T00:00:00Z\"",
    "\"00000000-0000-0000-0000-000000000000\"",
    "\"ffffffff-ffff-ffff-ffff-ffffffffffff\"",
    "[]",
    "[null]",
    "[[[[]]]]",
    "{}",
    "{\"__proto__\":{}}",
];

/// What is fuzzed.
#[derive(Debug, Default)]
pub struct Target<'a> {
    /// The name of its corpus folder.
    pub name: &'a str,
    /// What its inputs are written with.
    pub tokens: &'a [&'a str],
    /// Inputs besides the corpus, which are computed.
    pub seeds: Vec<Vec<u8>>,
}

impl Target<'_> {
    /// Runs the target. `check` panics for an input that is not handled as it should be.
    pub fn run(self, check: impl Fn(&[u8])) {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(self.name);
        let mut runner = TestRunner::new(Config {
            failure_persistence: None,
            max_shrink_iters: 4_000,
            max_shrink_time: 30_000,
            ..Config::default()
        });
        let test = |input: Vec<u8>| {
            check(&input);
            Ok(())
        };
        let mut corpus = self.seeds;
        let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files {
            let input = fs::read(&file).unwrap();
            if let Err(TestError::Fail(reason, _)) = runner.run_one(NoShrinking(input.clone()), test) {
                panic!("{} fails again: {reason}", file.display());
            }
            corpus.push(input);
        }
        let entries = corpus.len();
        let inputs = inputs(corpus, self.tokens.iter().map(|token| token.as_bytes().to_vec()).collect());
        let time = Duration::from_secs(std::env::var(SECONDS).map_or(1, |seconds| seconds.parse().unwrap()));
        let (begun, mut cases) = (Instant::now(), 0);
        while begun.elapsed() < time {
            let input = inputs.new_tree(&mut runner).unwrap();
            if let Err(TestError::Fail(reason, smallest)) = runner.run_one(input, test) {
                let hash: String = Sha256::digest(&smallest)[..4].iter().map(|byte| format!("{byte:02x}")).collect();
                let file = folder.join(format!("found-{hash}"));
                fs::write(&file, &smallest).unwrap();
                panic!("{}: {reason}\n{}", file.display(), smallest.escape_ascii());
            }
            cases += 1;
        }
        println!("fuzz {}: {cases} cases in {:?}, and {entries} entries of the corpus", self.name, begun.elapsed());
    }
}

/// An input as it is.
struct NoShrinking(Vec<u8>);

impl ValueTree for NoShrinking {
    type Value = Vec<u8>;

    fn current(&self) -> Vec<u8> {
        self.0.clone()
    }

    fn simplify(&mut self) -> bool {
        false
    }

    fn complicate(&mut self) -> bool {
        false
    }
}

/// A change of an input.
#[derive(Debug, Clone)]
enum Mutation {
    Flip {
        at: Index,
        bits: u8,
    },
    Insert {
        at: Index,
        bytes: Vec<u8>,
    },
    Overwrite {
        at: Index,
        bytes: Vec<u8>,
    },
    Remove {
        at: Index,
        length: usize,
    },
    Repeat {
        at: Index,
        length: usize,
        times: usize,
    },
    Cut {
        at: Index,
    },
    /// Puts another value in the place of a JSON value, or takes it out of its object or array.
    Replace {
        at: Index,
        value: Option<Value>,
    },
}

fn inputs(corpus: Vec<Vec<u8>>, tokens: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let noise = vec(any::<u8>(), 0..MAX_NOISE);
    let words = vec(pieces(&corpus, &tokens), 0..12).prop_map(|words| words.concat());
    let mutated =
        (select(corpus.clone()), vec(mutation(pieces(&corpus, &tokens)), 1..5)).prop_map(|(mut input, all)| {
            all.into_iter().for_each(|mutation| mutation.apply(&mut input));
            input
        });
    // Most changed bytes make of JSON something that is none, so its values are changed more often.
    let is_json = corpus.iter().all(|input| input.first() == Some(&b'{'));
    let replaced = (select(corpus), vec(replacement(), 0..4)).prop_map(|(mut input, all)| {
        all.into_iter().for_each(|mutation| mutation.apply(&mut input));
        input
    });
    prop_oneof![1 => noise, 1 => words, 8 => mutated, if is_json { 30 } else { 1 } => replaced]
}

/// What is put into an input: noise, extreme numbers, tokens, other inputs.
fn pieces(corpus: &[Vec<u8>], tokens: &[Vec<u8>]) -> impl Strategy<Value = Vec<u8>> + use<> {
    let numbers = prop_oneof![Just(0_u64), Just(u64::MAX), Just(1 << 31), Just(i64::MAX as u64), any::<u64>()];
    let number = (numbers, select(&[1_usize, 2, 4, 8][..]), any::<bool>()).prop_map(|(number, length, big)| {
        if big { number.to_be_bytes()[8 - length..].to_vec() } else { number.to_le_bytes()[..length].to_vec() }
    });
    let token = if tokens.is_empty() { vec![Vec::new()] } else { tokens.to_vec() };
    prop_oneof![
        2 => vec(any::<u8>(), 1..8),
        2 => number,
        4 => select(token),
        1 => select(corpus.to_vec()),
    ]
}

fn mutation(pieces: impl Strategy<Value = Vec<u8>> + 'static) -> impl Strategy<Value = Mutation> {
    let pieces = pieces.boxed();
    let at = any::<Index>;
    prop_oneof![
        1 => (at(), 1_u8..).prop_map(|(at, bits)| Mutation::Flip { at, bits }),
        1 => (at(), pieces.clone()).prop_map(|(at, bytes)| Mutation::Insert { at, bytes }),
        1 => (at(), pieces).prop_map(|(at, bytes)| Mutation::Overwrite { at, bytes }),
        1 => (at(), 1_usize..40).prop_map(|(at, length)| Mutation::Remove { at, length }),
        1 => (at(), 1_usize..40, 1_usize..60).prop_map(|(at, length, times)| Mutation::Repeat { at, length, times }),
        1 => at().prop_map(|at| Mutation::Cut { at }),
        4 => replacement(),
    ]
}

fn replacement() -> impl Strategy<Value = Mutation> {
    let hostile: Vec<Value> = HOSTILE_JSON.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    (any::<Index>(), proptest::option::weighted(0.8, select(hostile)))
        .prop_map(|(at, value)| Mutation::Replace { at, value })
}

impl Mutation {
    fn apply(self, input: &mut Vec<u8>) {
        let length_now = input.len();
        let range = |at: Index, length: usize| {
            let start = at.index(length_now + 1);
            start..length_now.min(start + length)
        };
        match self {
            Self::Flip { at, bits } => range(at, 1).for_each(|at| input[at] ^= bits),
            Self::Insert { at, bytes } => drop(input.splice(range(at, 0), bytes)),
            Self::Overwrite { at, bytes } => drop(input.splice(range(at, bytes.len()), bytes)),
            Self::Remove { at, length } => drop(input.drain(range(at, length))),
            Self::Repeat { at, length, times } => {
                let range = range(at, length);
                let repeated = input[range.clone()].repeat(times);
                input.splice(range, repeated);
            }
            Self::Cut { at } => input.truncate(range(at, 0).start),
            Self::Replace { at, value } => {
                if let Ok(mut json) = serde_json::from_slice(input) {
                    let mut place = at.index(nodes(&json));
                    replace(&mut json, &mut place, value.as_ref());
                    *input = json.to_string().into_bytes();
                }
            }
        }
    }
}

/// The values in this one, and itself.
fn nodes(json: &Value) -> usize {
    let inner: usize = match json {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(fields) => fields.values().map(nodes).sum(),
        _ => 0,
    };
    1 + inner
}

/// Replaces the value of this number in the order of [`nodes`]; `None` removes it. Returns whether `json` itself is to
/// be removed.
fn replace(json: &mut Value, place: &mut usize, value: Option<&Value>) -> bool {
    if *place == 0 {
        *place = usize::MAX;
        if let Some(value) = value {
            *json = value.clone();
        }
        return value.is_none();
    }
    *place -= 1;
    match json {
        Value::Array(items) => items.retain_mut(|item| *place == usize::MAX || !replace(item, place, value)),
        Value::Object(fields) => fields.retain(|_, field| *place == usize::MAX || !replace(field, place, value)),
        _ => {}
    }
    false
}

/// The peak of this process's memory while `work` runs, in bytes, above what it had before.
pub fn peak_memory(work: impl FnOnce()) -> usize {
    let status = |field: &str| {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
    };
    // Sets the peak back to what is used now.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS:");
    work();
    status("VmHWM:").saturating_sub(before)
}
