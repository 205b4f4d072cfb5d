//! `MessagePack` into values, for bytes that [`msgpack::check`](super::msgpack::check) has passed:
//! no length is beyond the bytes and nothing is nested too deep.
//!
//! rmp-serde writes what this reads. Its reader compiles some two thousand lines of intermediate
//! code for every type; here the reading of a token is no generic code, and each type compiles only
//! what it may meet. A sixth of the library's code was that reader's.

use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use std::fmt;

/// The value that is all of `bytes`.
pub(super) fn from_slice<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Failure> {
    let mut reader = Reader { rest: bytes };
    let value = T::deserialize(&mut reader)?;
    if reader.rest.is_empty() {
        Ok(value)
    } else {
        Err(Failure::custom("it goes on after its end"))
    }
}

/// Why bytes are no value of a type.
#[derive(Debug)]
pub(super) struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

impl serde::de::Error for Failure {
    fn custom<T: fmt::Display>(text: T) -> Self {
        Self(text.to_string())
    }
}

/// The next value, or the beginning of it.
#[derive(Clone, Copy)]
enum Token<'de> {
    Nil,
    Bool(bool),
    Unsigned(u64),
    Negative(i64),
    Float(f64),
    Text(&'de str),
    Bytes(&'de [u8]),
    /// So many values follow.
    List(usize),
    /// So many keys, each with its value, follow.
    Map(usize),
}

impl Token<'_> {
    fn unexpected(self) -> Failure {
        let what = match self {
            Self::Nil => "nothing",
            Self::Bool(_) => "yes or no",
            Self::Unsigned(_) | Self::Negative(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
        };
        Failure(format!("{what} stands where something else is expected"))
    }
}

struct Reader<'de> {
    rest: &'de [u8],
}

impl<'de> Reader<'de> {
    fn take(&mut self, count: usize) -> Result<&'de [u8], Failure> {
        let (taken, rest) =
            self.rest.split_at_checked(count).ok_or_else(|| Failure("it ends too early".into()))?;
        self.rest = rest;
        Ok(taken)
    }

    /// A number of `width` bytes, the highest first.
    fn number(&mut self, width: usize) -> Result<u64, Failure> {
        Ok(self.take(width)?.iter().fold(0, |n, &byte| (n << 8) | u64::from(byte)))
    }

    /// A number of `width` bytes with a sign.
    fn signed(&mut self, width: usize) -> Result<Token<'de>, Failure> {
        let free = 64 - 8 * width as u32;
        let value = (self.number(width)? << free).cast_signed() >> free;
        Ok(u64::try_from(value).map_or(Token::Negative(value), Token::Unsigned))
    }

    fn text(&mut self, length: usize) -> Result<Token<'de>, Failure> {
        let text = std::str::from_utf8(self.take(length)?);
        text.map(Token::Text).map_err(|_| Failure("a text is not UTF-8".into()))
    }

    fn bytes(&mut self, width: usize) -> Result<Token<'de>, Failure> {
        let length = self.number(width)? as usize;
        Ok(Token::Bytes(self.take(length)?))
    }

    fn token(&mut self) -> Result<Token<'de>, Failure> {
        let tag = self.number(1)? as u8;
        let low = |mask: u8| usize::from(tag & mask);
        Ok(match tag {
            0x00..=0x7f => Token::Unsigned(u64::from(tag)),
            0x80..=0x8f => Token::Map(low(0x0f)),
            0x90..=0x9f => Token::List(low(0x0f)),
            0xa0..=0xbf => return self.text(low(0x1f)),
            0xc0 => Token::Nil,
            0xc2 | 0xc3 => Token::Bool(tag == 0xc3),
            0xc4..=0xc6 => return self.bytes(1 << (tag - 0xc4)),
            0xca => Token::Float(f64::from(f32::from_bits(self.number(4)? as u32))),
            0xcb => Token::Float(f64::from_bits(self.number(8)?)),
            0xcc..=0xcf => Token::Unsigned(self.number(1 << (tag - 0xcc))?),
            0xd0..=0xd3 => return self.signed(1 << (tag - 0xd0)),
            0xd9..=0xdb => {
                let length = self.number(1 << (tag - 0xd9))? as usize;
                return self.text(length);
            }
            0xdc | 0xdd => Token::List(self.number(2 << (tag - 0xdc))? as usize),
            0xde | 0xdf => Token::Map(self.number(2 << (tag - 0xde))? as usize),
            0xe0..=0xff => Token::Negative(i64::from(tag.cast_signed())),
            0xc1 | 0xc7..=0xc9 | 0xd4..=0xd8 => {
                return Err(Failure("it holds a kind of value that is not written".into()));
            }
        })
    }

    fn flag<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match self.token()? {
            Token::Bool(value) => visitor.visit_bool(value),
            other => Err(other.unexpected()),
        }
    }

    fn any_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match self.token()? {
            Token::Unsigned(value) => visitor.visit_u64(value),
            Token::Negative(value) => visitor.visit_i64(value),
            Token::Float(value) => visitor.visit_f64(value),
            other => Err(other.unexpected()),
        }
    }

    fn any_text<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match self.token()? {
            Token::Text(text) => visitor.visit_borrowed_str(text),
            other => Err(other.unexpected()),
        }
    }

    fn any_bytes<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match self.token()? {
            Token::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Token::List(length) => self.list(length, visitor),
            other => Err(other.unexpected()),
        }
    }

    fn nothing<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match self.token()? {
            Token::Nil | Token::List(0) => visitor.visit_unit(),
            other => Err(other.unexpected()),
        }
    }

    fn values<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match self.token()? {
            Token::List(length) => self.list(length, visitor),
            other => Err(other.unexpected()),
        }
    }

    /// Fields by name, or in their order.
    fn entries<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        match self.token()? {
            Token::Map(length) => self.map(length, visitor),
            Token::List(length) => self.list(length, visitor),
            other => Err(other.unexpected()),
        }
    }

    fn list<V: Visitor<'de>>(&mut self, left: usize, visitor: V) -> Result<V::Value, Failure> {
        let mut items = Items { reader: self, left };
        let value = visitor.visit_seq(&mut items)?;
        items.end().map(|()| value)
    }

    fn map<V: Visitor<'de>>(&mut self, left: usize, visitor: V) -> Result<V::Value, Failure> {
        let mut items = Items { reader: self, left };
        let value = visitor.visit_map(&mut items)?;
        items.end().map(|()| value)
    }
}

/// Methods of serde's interface that look for one kind of value.
macro_rules! expect {
    ($kind:ident: $($method:ident)+) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            self.$kind(visitor)
        }
    )+};
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.token()? {
            Token::Nil => visitor.visit_unit(),
            Token::Bool(value) => visitor.visit_bool(value),
            Token::Unsigned(value) => visitor.visit_u64(value),
            Token::Negative(value) => visitor.visit_i64(value),
            Token::Float(value) => visitor.visit_f64(value),
            Token::Text(text) => visitor.visit_borrowed_str(text),
            Token::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Token::List(length) => self.list(length, visitor),
            Token::Map(length) => self.map(length, visitor),
        }
    }

    expect!(flag: deserialize_bool);
    expect!(any_number: deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64);
    expect!(any_number: deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64);
    expect!(any_number: deserialize_f32 deserialize_f64);
    expect!(any_text: deserialize_char deserialize_str deserialize_string);
    expect!(any_text: deserialize_identifier);
    expect!(any_bytes: deserialize_bytes deserialize_byte_buf);
    expect!(nothing: deserialize_unit);
    expect!(values: deserialize_seq);
    expect!(entries: deserialize_map);

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        if let Some((0xc0, rest)) = self.rest.split_first() {
            self.rest = rest;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_map(visitor)
    }

    /// A name, or a map of a name and what the variant holds.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if let Some((0x81, rest)) = self.rest.split_first() {
            self.rest = rest;
            return visitor.visit_enum(Variant { reader: self, alone: false });
        }
        visitor.visit_enum(Variant { reader: self, alone: true })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// What is left of a list or of a map.
struct Items<'a, 'de> {
    reader: &'a mut Reader<'de>,
    left: usize,
}

impl Items<'_, '_> {
    fn end(&self) -> Result<(), Failure> {
        if self.left == 0 { Ok(()) } else { Err(Failure("a list is too long".into())) }
    }

    /// Whether there is another one, which is then taken.
    fn next(&mut self) -> bool {
        let more = self.left > 0;
        self.left -= usize::from(more);
        more
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Failure;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        if self.next() { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Failure> {
        if self.next() { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Failure> {
        seed.deserialize(&mut *self.reader)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// A variant of an enum: its name, alone or before what it holds.
struct Variant<'a, 'de> {
    reader: &'a mut Reader<'de>,
    alone: bool,
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Failure> {
        let name = seed.deserialize(&mut *self.reader)?;
        Ok((name, self))
    }
}

impl<'a, 'de> Variant<'a, 'de> {
    /// What follows the name.
    fn held(self) -> Result<&'a mut Reader<'de>, Failure> {
        if self.alone { Err(Failure("a variant holds nothing".into())) } else { Ok(self.reader) }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        if self.alone { Ok(()) } else { <()>::deserialize(self.reader) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Failure> {
        seed.deserialize(self.held()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Failure> {
        self.held()?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.held()?.deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Plain,
        Number(i64),
        Pair(f64, String),
        Named { flag: bool, small: Option<u8> },
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Whole {
        kinds: Vec<Kind>,
        floats: Vec<f64>,
        narrow: (f32, i16, char),
        table: BTreeMap<String, Vec<u32>>,
        #[serde(default)]
        absent: Option<Box<Whole>>,
    }

    fn kind() -> impl Strategy<Value = Kind> {
        prop_oneof![
            Just(Kind::Plain),
            any::<i64>().prop_map(Kind::Number),
            (-1e300..1e300, ".{0,40}").prop_map(|(number, text)| Kind::Pair(number, text)),
            any::<(bool, Option<u8>)>().prop_map(|(flag, small)| Kind::Named { flag, small }),
        ]
    }

    fn whole() -> impl Strategy<Value = Whole> {
        let floats = prop::collection::vec(-1e300..1e300, 0..20);
        let table = prop::collection::btree_map(".{0,5}", any::<Vec<u32>>(), 0..4);
        let narrow = (-1e30_f32..1e30, any::<i16>(), any::<char>());
        (prop::collection::vec(kind(), 0..20), floats, narrow, table).prop_map(
            |(kinds, floats, narrow, table)| {
                let whole = Whole { kinds, floats, narrow, table, absent: None };
                Whole { absent: Some(Box::new(whole.clone())), ..whole }
            },
        )
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_and_damage_is_read_as_the_peer_reads_it(
            whole in whole(),
            at: prop::sample::Index,
            byte: u8,
        ) {
            for mut bytes in [rmp_serde::to_vec_named(&whole), rmp_serde::to_vec(&whole)].map(Result::unwrap) {
                prop_assert_eq!(&from_slice::<Whole>(&bytes).unwrap(), &whole);
                prop_assert!(from_slice::<Whole>(&bytes[..bytes.len() - 1]).is_err());
                let at = at.index(bytes.len());
                bytes[at] = byte;
                if let (Ok(ours), Ok(peers)) =
                    (from_slice::<Whole>(&bytes), rmp_serde::from_slice::<Whole>(&bytes))
                {
                    prop_assert_eq!(
                        rmp_serde::to_vec(&ours).unwrap(), rmp_serde::to_vec(&peers).unwrap()
                    );
                }
            }
        }
    }

    #[test]
    fn every_width_of_a_number_is_read() {
        let numbers =
            [0, 1, -1, 127, -128, 128, 255, 256, -32769, 65536, 1 << 40, i64::MIN, i64::MAX];
        let bytes = rmp_serde::to_vec(&numbers.to_vec()).unwrap();
        assert_eq!(from_slice::<Vec<i64>>(&bytes).unwrap(), numbers);
        assert!(from_slice::<Vec<u64>>(&bytes).is_err(), "negative");
        assert!(from_slice::<String>(&bytes).unwrap_err().to_string().contains("a list"));
    }
}
