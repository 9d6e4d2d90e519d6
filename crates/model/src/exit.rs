//! The exit statuses, one meaning each. README.md holds the same table; `xtask tidy` compares them.

/// How a slowpath command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The question was answered.
    Answered = 0,
    /// A gate the user set is broken: regression, budget, `--fail-on`.
    GateBroken = 1,
    /// Wrong usage or unreadable input.
    Usage = 2,
    /// Nothing could be measured.
    NothingMeasured = 3,
    /// The target failed to start or its runs do not count.
    TargetFailed = 4,
    /// The measurements do not decide.
    Inconclusive = 5,
    /// The two sides may not be compared.
    NotComparable = 6,
    /// A defect in slowpath.
    Defect = 70,
}

impl Exit {
    pub const ALL: [Self; 8] = [
        Self::Answered,
        Self::GateBroken,
        Self::Usage,
        Self::NothingMeasured,
        Self::TargetFailed,
        Self::Inconclusive,
        Self::NotComparable,
        Self::Defect,
    ];

    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }
}
