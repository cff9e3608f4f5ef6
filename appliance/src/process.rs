//! The process: its memory, processor time and file descriptors.

use std::{fs, path::Path, sync::Arc, time::Duration};

use nix::sys::resource::{Resource, getrlimit, setrlimit};
use parking_lot::Mutex;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// The share of the file descriptors, and of the memory, from which on operators are warned.
const MANY_FILES: f64 = 0.8;
const MUCH_MEMORY: f64 = 0.9;

/// What the process used when it was last looked at; 0 is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time since the start.
    pub cpu: Duration,
    /// Resident bytes, and how many there may be.
    pub memory: u64,
    pub memory_limit: u64,
    pub open_files: u64,
    pub open_files_limit: u64,
}

impl Usage {
    /// One sentence for each that runs short.
    pub fn notices(&self) -> Vec<String> {
        let exceeds = |used: u64, limit: u64, share: f64| limit > 0 && used as f64 > limit as f64 * share;
        let mut notices = vec![];
        if exceeds(self.open_files, self.open_files_limit, MANY_FILES) {
            notices.push(format!(
                "The server has {} of {} file descriptors open. Without free ones it accepts no connections: raise the \
                 limit (LimitNOFILE under systemd).",
                self.open_files, self.open_files_limit
            ));
        }
        if exceeds(self.memory, self.memory_limit, MUCH_MEMORY) {
            notices.push(format!(
                "The server uses {} MiB of the {} MiB of memory that it may have.",
                self.memory >> 20,
                self.memory_limit >> 20
            ));
        }
        notices
    }
}

/// Looks at the process. Clones share what was seen.
#[derive(Debug, Clone, Default)]
pub struct ProcessWatch(Arc<Mutex<(System, Usage)>>);

impl ProcessWatch {
    /// Looks again. It reads `/proc`, which takes a millisecond for every few thousand open files.
    pub fn look(&self) -> Usage {
        let (system, usage) = &mut *self.0.lock();
        let own = Pid::from_u32(std::process::id());
        let wanted = ProcessRefreshKind::nothing().with_memory().with_cpu();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, wanted);
        if let Some(process) = system.process(own) {
            *usage = Usage {
                cpu: Duration::from_millis(process.accumulated_cpu_time()),
                memory: process.memory(),
                memory_limit: [group_limit(), machine_memory()].into_iter().flatten().min().unwrap_or(0),
                open_files: process.open_files().unwrap_or(0) as u64,
                open_files_limit: getrlimit(Resource::RLIMIT_NOFILE).map_or(0, |(soft, _)| soft),
            };
        }
        *usage
    }

    /// What was seen last.
    pub fn usage(&self) -> Usage {
        self.0.lock().1
    }
}

/// File descriptors for all but connections of clients: files, calls to other servers, queues of the system.
const OTHER_FILES: u64 = 512;

/// Raises the limit of open files as far as this user may: each connection needs one.
pub fn raise_open_files_limit() {
    let raised = getrlimit(Resource::RLIMIT_NOFILE).and_then(|(soft, hard)| match soft < hard {
        true => setrlimit(Resource::RLIMIT_NOFILE, hard, hard),
        false => Ok(()),
    });
    if let Err(error) = raised {
        tracing::warn!(%error, "the limit of open files could not be raised");
    }
}

/// How many connections there may be of those that are configured: they leave file descriptors for everything else, or the
/// store could not open its next file, and no move would be acknowledged any more.
pub fn connections_with_files(configured: usize) -> usize {
    getrlimit(Resource::RLIMIT_NOFILE).map_or(configured, |(limit, _)| {
        let room = limit - OTHER_FILES.min(limit / 2);
        configured.min(usize::try_from(room).unwrap_or(usize::MAX))
    })
}

/// The memory of the machine. The packaged unit hides `/proc/meminfo` (`ProcSubset=pid`), so the kernel is asked.
#[cfg(target_os = "linux")]
fn machine_memory() -> Option<u64> {
    nix::sys::sysinfo::sysinfo().ok().map(|info| info.ram_total())
}

#[cfg(not(target_os = "linux"))]
fn machine_memory() -> Option<u64> {
    let mut system = System::new();
    system.refresh_memory();
    Some(system.total_memory())
}

/// The smallest memory limit of the process's control groups, as systemd and containers set it.
fn group_limit() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let limit = |folder: &Path| fs::read_to_string(folder.join("memory.max")).ok()?.trim().parse().ok();
    Path::new("/sys/fs/cgroup").join(group).ancestors().filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_is_seen() {
        let watch = ProcessWatch::default();
        assert_eq!(watch.usage(), Usage::default());
        let files: Vec<_> = (0..50).map(|_| fs::File::open("/proc/self/stat").unwrap()).collect();
        let seen = watch.look();
        assert!(seen.memory > 1 << 20 && seen.memory < seen.memory_limit, "{seen:?}");
        assert!(seen.open_files > 50 && seen.open_files < seen.open_files_limit, "{seen:?}");
        assert_eq!(watch.usage(), seen);
        drop(files);
        let begun = std::time::Instant::now();
        while begun.elapsed() < Duration::from_millis(100) {}
        assert!(watch.look().cpu > seen.cpu, "time passes");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_memory_of_the_machine_is_what_the_kernel_says() {
        let told = fs::read_to_string("/proc/meminfo").unwrap();
        let total = told.lines().find_map(|line| line.strip_prefix("MemTotal:")).unwrap().trim();
        let total: u64 = total.strip_suffix(" kB").unwrap().parse().unwrap();
        assert_eq!(machine_memory(), Some(total << 10));
    }

    #[test]
    fn operators_are_warned_before_something_runs_out() {
        let plenty = Usage { open_files: 80, open_files_limit: 100, memory: 90, memory_limit: 100, ..Usage::default() };
        assert_eq!(plenty.notices(), Vec::<String>::new());
        assert_eq!(Usage { open_files: 1, memory: 1, ..Usage::default() }.notices(), Vec::<String>::new(), "unknown");
        let files = Usage { open_files: 81, ..plenty }.notices();
        assert!(files.len() == 1 && files[0].contains("81 of 100 file descriptors"), "{files:?}");
        let memory = Usage { memory: 950 << 20, memory_limit: 1 << 30, ..Usage::default() }.notices();
        assert!(memory.len() == 1 && memory[0].contains("950 MiB of the 1024 MiB"), "{memory:?}");
    }

    #[test]
    fn the_limit_of_open_files_is_raised_to_what_is_allowed() {
        let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        setrlimit(Resource::RLIMIT_NOFILE, hard.min(1_000), hard).unwrap();
        raise_open_files_limit();
        assert_eq!(getrlimit(Resource::RLIMIT_NOFILE).unwrap(), (hard, hard));
    }
}
