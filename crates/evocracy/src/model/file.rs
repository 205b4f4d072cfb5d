//! Model files (`.evo`): a model is a frame of chunks, each payload `MessagePack` with named
//! fields, so that a file of an older version still loads after a field was added.

use super::frame::{self, Chunk, MAGIC};
use super::{About, Core, Model, SeenRows, msgpack, standing, unpack};
use crate::classify::{Decision, Saved, Standing, Thresholds};
use crate::data::read::Reading;
use crate::data::{Encoder, Schema};
use crate::error::{Error, Result};
use crate::run::write_file;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Model files larger than this are refused before they are decoded.
pub const MAX_BYTES: u64 = 1 << 30;

/// What a payload holds beside the core, borrowed for writing.
#[derive(Serialize)]
pub(super) struct Around<'a> {
    about: &'a About,
    schema: &'a Schema,
    encoder: &'a Encoder,
    #[serde(skip_serializing_if = "Decision::is_plain")]
    decision: &'a Decision,
    #[serde(skip_serializing_if = "Option::is_none")]
    thresholds: Option<&'a Thresholds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<&'a SeenRows>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standing: Option<&'a [Standing]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reading: Option<&'a Reading>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class_weights: Option<&'a [f64]>,
}

#[derive(Serialize)]
struct Out<'a, C> {
    #[serde(flatten)]
    around: &'a Around<'a>,
    core: &'a C,
}

/// A part of a file to be written.
struct Written {
    name: &'static str,
    version: u32,
    members: Vec<u32>,
    payload: Vec<u8>,
}

impl Written {
    fn chunk(&self) -> Chunk<'_> {
        let Self { name, version, members, payload } = self;
        Chunk { name, version: *version, members: members.clone(), payload }
    }
}

#[derive(Deserialize)]
struct In<C> {
    about: About,
    schema: Schema,
    encoder: Encoder,
    #[serde(default)]
    decision: Decision,
    #[serde(default)]
    thresholds: Option<Thresholds>,
    #[serde(default)]
    seen: Option<SeenRows>,
    #[serde(default)]
    standing: Option<Vec<Standing>>,
    #[serde(default)]
    reading: Option<Reading>,
    #[serde(default)]
    class_weights: Option<Vec<f64>>,
    core: C,
}

/// What is written can be read again: a model that would be refused then is refused now.
pub(super) fn encode<C: Saved>(around: &Around<'_>, core: &C) -> Result<Vec<u8>> {
    core.check(&around.encoder.output(around.schema))?;
    rmp_serde::to_vec_named(&Out { around, core })
        .map_err(|e| Error::unsuitable(format!("this model cannot be written: {e}"), ""))
}

pub(super) fn decode<C: Saved>(name: &str, version: u32, bytes: &[u8]) -> Result<Model>
where
    Core: From<C>,
{
    if version > C::VERSION {
        return Err(newer(&format!("part `{name}` has version {version}")));
    }
    msgpack::check(bytes)?;
    let read: In<C> = unpack::from_slice(bytes)
        .map_err(|e| Error::model_file(format!("part `{name}` does not decode ({e})")))?;
    read.encoder.check(&read.schema)?;
    read.core.check(&read.encoder.output(&read.schema))?;
    let In { about, schema, encoder, decision, thresholds, seen, standing, reading, .. } = read;
    let (core, class_weights) = (read.core, read.class_weights);
    thresholds.iter().try_for_each(Thresholds::check)?;
    seen.iter().try_for_each(SeenRows::check)?;
    reading.iter().try_for_each(Reading::check)?;
    let (core, decided) = (core.into(), Decision::default());
    let model = Model {
        about,
        schema,
        encoder,
        core,
        decision: decided,
        thresholds,
        seen,
        standing,
        reading,
        class_weights,
    };
    standing::check(&model)?;
    check_weights(&model)?;
    if decision.is_plain() { Ok(model) } else { model.with_decision(decision) }
}

/// Refuses class weights that a damaged file could hold.
fn check_weights(model: &Model) -> Result<()> {
    let Some(weights) = &model.class_weights else { return Ok(()) };
    let sound = model.classes().is_ok_and(|classes| classes.len() == weights.len())
        && weights.iter().all(|weight| weight.is_normal() && *weight > 0.0);
    if sound { Ok(()) } else { Err(Error::model_file("the weights of its classes are none")) }
}

pub(super) fn foreign(name: &str) -> Error {
    newer(&format!("its method `{}` is unknown here", name.escape_debug()))
}

pub(super) fn newer(problem: &str) -> Error {
    Error::ModelFile {
        problem: problem.to_owned(),
        help: "it was probably written by a newer evocracy: update, or train again with this one"
            .into(),
    }
}

impl Model {
    /// The model as the bytes of a file: the same model gives the same bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut parts = Vec::new();
        self.write_into(&mut parts)?;
        let chunks: Vec<Chunk<'_>> = parts.iter().map(Written::chunk).collect();
        Ok(frame::write(&chunks))
    }

    /// Adds its members and then itself; returns its position.
    fn write_into(&self, parts: &mut Vec<Written>) -> Result<u32> {
        let mut members = Vec::new();
        for member in self.core.members() {
            members.push(member.write_into(parts)?);
        }
        let Self { about, schema, encoder, decision, .. } = self;
        let (thresholds, seen, reading) =
            (self.thresholds.as_ref(), self.seen.as_ref(), self.reading.as_ref());
        let standing = self.standing.as_deref();
        let class_weights = self.class_weights.as_deref();
        let around = Around {
            about,
            schema,
            encoder,
            decision,
            thresholds,
            seen,
            standing,
            reading,
            class_weights,
        };
        let (version, payload) = self.core.save(&around)?;
        parts.push(Written { name: self.core.name(), version, members, payload });
        Ok(parts.len() as u32 - 1)
    }

    /// Reads a model from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        // Every chunk but the last has one parent, which comes later and takes it.
        let mut read: Vec<Option<Self>> = Vec::new();
        for chunk in frame::read(bytes)? {
            let mut model = Core::load(chunk.name, chunk.version, chunk.payload)?;
            let members = chunk.members.iter().filter_map(|&at| read[at as usize].take());
            model.core.adopt(members.collect())?;
            read.push(Some(model));
        }
        read.pop().flatten().ok_or_else(|| Error::model_file("it has no parts"))
    }

    /// Writes the model to a file. At any moment, even when the machine dies or others save to
    /// the same file, it is either an old or a new one. What is no ordinary file, such as a
    /// pipe or a device, is written to and stays what it is.
    pub fn save(&self, path: &Path) -> Result<()> {
        write_file(path, &[&self.to_bytes()?])
    }

    /// Reads a model from a file.
    pub fn load(path: &Path) -> Result<Self> {
        let failed = |e| Error::io("read", path, e);
        let file = File::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        let start = MAGIC.len() as u64;
        (&file).take(start).read_to_end(&mut bytes).map_err(failed)?;
        // A large file that is no model is refused by its first letters, not after it is read.
        if bytes == MAGIC {
            file.take(MAX_BYTES + 1 - start).read_to_end(&mut bytes).map_err(failed)?;
        }
        if bytes.len() as u64 > MAX_BYTES {
            return Err(Error::model_file(format!("it is larger than {MAX_BYTES} bytes")));
        }
        Self::from_bytes(&bytes)
    }
}
