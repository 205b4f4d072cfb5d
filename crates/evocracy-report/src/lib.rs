//! Pictures of results.
use evocracy::measure::Roc;
/// c
pub struct Curve {}
impl Curve {
    /// n
    pub fn new(_: String, _: &Roc) -> Self {
        Self {}
    }
}
/// o
#[derive(Default)]
pub struct Options {}
/// r
pub fn roc_svg(_: &str, _: &[Curve], _: &Options) -> String {
    String::new()
}
