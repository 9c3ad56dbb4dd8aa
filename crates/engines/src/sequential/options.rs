//! What sequentializations can be told beside what all engines can.

use raddle_sequentialize::schema::Schedule;
use raddle_sequentialize::switch_points::SwitchPoints;

/// Which schedules a sequentialization goes through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How many round-robin rounds; without it the engine deepens by itself.
    pub rounds: Option<u32>,
    /// Which threads take part in each round. It says how many rounds there are.
    pub schedule: Option<Schedule>,
    /// For the lazy one: where threads may be left. Labels change with the other bounds, so these must be given, too.
    pub switches: Option<SwitchPoints>,
}

impl Options {
    /// How many rounds there are, if that is said.
    pub(super) fn rounds(&self) -> Option<u32> {
        self.schedule.as_ref().map(Schedule::rounds).or(self.rounds)
    }
}
