//! The memory that the server may have: that of the unit, in a cgroup of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, bail, ensure};

const UNIT: &str = include_str!("../../../systemd/morpion.service");

/// Where cgroups are mounted, and what a group of memory is called in version 1 and 2.
const ROOT: &str = "/sys/fs/cgroup";

struct Names {
    parent: &'static str,
    limit: &'static str,
    now: &'static str,
    events: &'static str,
    killed: &'static str,
    swap: &'static str,
}

const VERSIONS: [Names; 2] = [
    Names {
        parent: "memory",
        limit: "memory.limit_in_bytes",
        now: "memory.usage_in_bytes",
        events: "memory.oom_control",
        killed: "oom_kill",
        swap: "memory.swappiness",
    },
    Names {
        parent: "",
        limit: "memory.max",
        now: "memory.current",
        events: "memory.events",
        killed: "oom_kill",
        swap: "memory.swap.max",
    },
];

/// Removed when it is dropped; its processes have to have ended.
pub struct MemoryGroup {
    folder: PathBuf,
    names: &'static Names,
    /// The limit, in bytes.
    pub most: u64,
}

/// A size of the unit, in bytes.
pub fn of_unit(key: &str) -> anyhow::Result<u64> {
    let value = UNIT.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
    let value = value.with_context(|| format!("the unit has no {key}"))?;
    let (number, unit) = value.split_at(value.len() - 1);
    let shift = match unit {
        "M" => 20,
        "G" => 30,
        _ => bail!("{key} is {value}"),
    };
    Ok(number.parse::<u64>()? << shift)
}

impl MemoryGroup {
    /// A group with the memory of the unit.
    ///
    /// # Errors
    /// The machine has no cgroups for memory, or this process may make none: what is measured without a limit says nothing
    /// of a server that has one.
    pub fn of_the_unit() -> anyhow::Result<Self> {
        let most = of_unit("MemoryMax")?;
        let mut why = vec![];
        for names in &VERSIONS {
            match Self::make(names, most) {
                Ok(group) => return Ok(group),
                Err(error) => why.push(format!("{error:#}")),
            }
        }
        bail!(
            "no cgroup with the memory of the unit can be made; run it as root, or by `systemd-run --scope -p Delegate=yes`. \
             cgroup v1: {}; v2: {}",
            why[0],
            why[1]
        )
    }

    fn make(names: &'static Names, most: u64) -> anyhow::Result<Self> {
        let parent = Path::new(ROOT).join(names.parent);
        ensure!(parent.join("cgroup.procs").exists(), "{} is not mounted", parent.display());
        // In version 2 a group gives memory to its children only if it says so; that of the machine does under systemd.
        let folder = parent.join(format!("morpion-attack-{}", std::process::id()));
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        let group = Self { folder, names, most };
        group.write(names.limit, most)?;
        // A server that swaps is as good as gone.
        group.write(names.swap, 0).ok();
        let limit = group.read(names.limit)?;
        ensure!(limit.trim() == most.to_string(), "the limit became {limit}");
        Ok(group)
    }

    fn write(&self, file: &str, value: u64) -> anyhow::Result<()> {
        let file = self.folder.join(file);
        fs::write(&file, value.to_string()).with_context(|| file.display().to_string())
    }

    fn read(&self, file: &str) -> anyhow::Result<String> {
        let file = self.folder.join(file);
        fs::read_to_string(&file).with_context(|| file.display().to_string())
    }

    /// The command, which enters the group before it begins.
    pub fn command(&self, inner: &Command) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(self.folder.join("cgroup.procs"));
        command.arg(inner.get_program()).args(inner.get_args());
        command
    }

    /// What all in it has now, in bytes: files in memory and the kernel's buffers included.
    pub fn now(&self) -> anyhow::Result<u64> {
        Ok(self.read(self.names.now)?.trim().parse()?)
    }

    /// How often the kernel killed something in it.
    pub fn killed(&self) -> anyhow::Result<u64> {
        let events = self.read(self.names.events)?;
        let count = events.lines().find_map(|line| line.strip_prefix(self.names.killed)?.strip_prefix(' '));
        Ok(count.with_context(|| events.clone())?.trim().parse()?)
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}
