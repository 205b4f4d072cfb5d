//! Pictures as files: what stands above them and how large they are.

use anyhow::Result;
use clap::Args as ClapArgs;
use evocracy::error::Error;
use evocracy::run::write_file;
use evocracy_report::Options;
use std::path::Path;

/// Pixels that a side of a picture may have.
const SIDES: std::ops::RangeInclusive<u32> = 50..=8000;

/// How a picture looks.
#[derive(ClapArgs, Clone, Default)]
pub struct Look {
    /// What stands above the picture [default: what it shows]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// The width and height of the picture in pixels, such as 800x600; it is fitted in
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(u32, u32)>,
}

impl Look {
    /// Whether anything was asked.
    pub fn any(&self) -> bool {
        self.title.is_some() || self.size.is_some()
    }

    /// What a picture is drawn by. The title gives way to the one that was asked for.
    pub fn options(&self, (title, subtitle): (String, String)) -> Options {
        let title = self.title.clone().unwrap_or(title);
        Options { title, subtitle, size: self.size, ..Options::default() }
    }

    /// Draws a picture and writes it.
    pub fn write(
        &self,
        path: &Path,
        heads: (String, String),
        draw: impl FnOnce(&Options) -> String,
    ) -> Result<()> {
        Ok(write_file(path, &[draw(&self.options(heads)).as_bytes()])?)
    }
}

/// Refuses a name whose ending is of no format that is written.
pub fn check_name(path: &Path) -> Result<()> {
    if matches!(&ending(path)[..], "" | "svg") {
        return Ok(());
    }
    let what = format!("`{}` cannot be drawn: pictures are SVG", path.display());
    Err(Error::unsuitable(what, "give the picture a name that ends in .svg").into())
}

/// What a name ends in.
fn ending(path: &Path) -> String {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase()
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let side = |text: &str| text.trim().parse().ok().filter(|side| SIDES.contains(side));
    let sides = text.split_once('x').and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (least, most) = (SIDES.start(), SIDES.end());
    sides.ok_or_else(|| {
        format!("expected width and height in pixels from {least} to {most}, such as 800x600")
    })
}
