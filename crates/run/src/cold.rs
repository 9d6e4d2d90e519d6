//! Cold-cache runs: what the kernel has cached of files is dropped before each.

use std::fs::OpenOptions;
use std::io::Write;

use crate::RunError;

/// Writes dirty pages back and drops the page cache, dentries and inodes. Needs root.
///
/// # Errors
/// When the kernel refuses; nothing was dropped then.
pub fn drop_caches() -> Result<(), RunError> {
    let mut file = OpenOptions::new()
        .write(true)
        .open("/proc/sys/vm/drop_caches")
        .map_err(|source| RunError::NotCold { source })?;
    // SAFETY: no arguments. Only clean pages can be dropped.
    unsafe { libc::sync() };
    file.write_all(b"3").map_err(|source| RunError::NotCold { source })
}
