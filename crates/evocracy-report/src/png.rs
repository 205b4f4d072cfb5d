//! Pictures as pixels.

use evocracy::error::{Error, Result};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Tree};

/// Renders an SVG picture, such as [`roc_svg`](crate::roc_svg) draws, as a PNG file.
///
/// `scale` is how many pixels one SVG pixel becomes, from 0.1 to 10; 2 suits most screens.
/// Text is set in a sans-serif font of this machine, so bytes differ between machines.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>> {
    if !(0.1..=10.0).contains(&scale) {
        return Err(Error::Param {
            of: "png".to_owned(),
            name: "scale".to_owned(),
            expected: "from 0.1 to 10".to_owned(),
            got: scale.to_string(),
        });
    }
    let tree = Tree::from_str(svg, &options()?).map_err(|e| unsuitable("read", &e))?;
    let size = tree.size().to_int_size().scale_by(scale);
    let pixels = size.and_then(|s| Pixmap::new(s.width(), s.height()));
    let mut pixels = pixels.ok_or_else(|| unsuitable("render", &"it has no size"))?;
    // To the last pixel: the size was rounded to whole ones.
    let (wide, high) = (pixels.width() as f32, pixels.height() as f32);
    let fit = Transform::from_scale(wide / tree.size().width(), high / tree.size().height());
    resvg::render(&tree, fit, &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| unsuitable("encode", &e))
}

/// With the fonts of this machine. Without any, letters would silently be missing.
fn options() -> Result<usvg::Options<'static>> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let known = ["Inter", "Helvetica", "Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans"];
    let family = |wanted: Option<&&str>| {
        let mut names = fonts.faces().filter_map(|f| f.families.first()).map(|(name, _)| name);
        names.find(|name| wanted.is_none_or(|w| name == w)).cloned()
    };
    let found = known.iter().find_map(|k| family(Some(k))).or_else(|| family(None));
    let Some(found) = found else {
        return Err(Error::unsuitable(
            "this machine has no fonts to write text with",
            "install one, for example the package fonts-dejavu-core, or ask for SVG",
        ));
    };
    fonts.set_sans_serif_family(found);
    Ok(options)
}

fn unsuitable(what: &str, why: &dyn std::fmt::Display) -> Error {
    Error::unsuitable(format!("cannot {what} the picture: {why}"), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, roc_svg};

    #[test]
    fn a_picture_becomes_pixels_and_nonsense_an_error() {
        let svg = roc_svg(&[], &Options::default());
        let bytes = png(&svg, 1.0).unwrap();
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 5000);
        assert!(png("<svg", 1.0).is_err());
        assert!(png(&svg, 0.0).is_err() && png(&svg, f32::NAN).is_err());
    }
}
