//! Files that only the user of the program can access, whatever its umask was.

use nix::sys::stat::{Mode, umask};

/// From now on new files have mode 0600 and new folders 0700. Called once, before the program has threads.
pub fn from_now_on() {
    umask(Mode::S_IRWXG | Mode::S_IRWXO);
}
