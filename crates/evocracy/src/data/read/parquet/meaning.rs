//! What the values of a Parquet column mean.

use super::super::cell;
use super::super::reader::Holds;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type};
use parquet::schema::types::ColumnDescriptor;

/// What the values of a column mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// Numbers as they are.
    Number,
    /// Whole numbers without a sign.
    Unsigned,
    /// Whole numbers of this many decimals.
    Decimal(u32),
    /// Points in time, so many to a second, as seconds.
    Time(f64),
    /// `false` and `true`.
    Truth,
    /// Texts.
    Text,
}

impl Meaning {
    /// The meaning of a column that is not nested; else in words what it holds.
    pub(super) fn of(column: &ColumnDescriptor) -> Result<Self, &'static str> {
        let logical = column.logical_type_ref();
        let converted = column.converted_type();
        if converted == ConvertedType::DECIMAL
            || matches!(logical, Some(LogicalType::Decimal { .. }))
        {
            let scale = u32::try_from(column.type_scale()).ok().filter(|&scale| scale <= 100);
            return scale.map(Self::Decimal).ok_or("decimals of an unknown kind");
        }
        match column.physical_type() {
            Type::BOOLEAN => Ok(Self::Truth),
            Type::FLOAT | Type::DOUBLE => Ok(Self::Number),
            Type::INT96 => Ok(Self::Time(1e9)),
            Type::INT32 | Type::INT64 => Ok(whole(logical, converted)),
            Type::BYTE_ARRAY => match (logical, converted) {
                (Some(LogicalType::String | LogicalType::Enum | LogicalType::Json), _)
                | (_, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON) => {
                    Ok(Self::Text)
                }
                _ => Err("binary data"),
            },
            Type::FIXED_LEN_BYTE_ARRAY => Err("binary data"),
        }
    }

    pub(super) fn holds(self) -> Holds {
        match self {
            Self::Truth | Self::Text => Holds::Texts,
            _ => Holds::Numbers,
        }
    }

    /// The number that a whole number of 32 bits stands for.
    pub(super) fn number32(self, value: i32) -> f64 {
        let unsigned = self == Self::Unsigned;
        self.number(if unsigned { i64::from(value.cast_unsigned()) } else { i64::from(value) })
    }

    /// The number that a whole number of 64 bits stands for.
    pub(super) fn number(self, value: i64) -> f64 {
        match self {
            Self::Unsigned => value as u64 as f64,
            Self::Decimal(scale) => decimal(i128::from(value), scale),
            Self::Time(units) => value as f64 / units,
            _ => value as f64,
        }
    }
}

fn whole(logical: Option<&LogicalType>, converted: ConvertedType) -> Meaning {
    let units = |unit: &TimeUnit| match unit {
        TimeUnit::MILLIS => 1e3,
        TimeUnit::MICROS => 1e6,
        TimeUnit::NANOS => 1e9,
    };
    match logical {
        Some(LogicalType::Integer(kind)) if !kind.is_signed => return Meaning::Unsigned,
        Some(LogicalType::Timestamp(kind) | LogicalType::Time(kind)) => {
            return Meaning::Time(units(&kind.unit));
        }
        _ => {}
    }
    match converted {
        ConvertedType::UINT_8
        | ConvertedType::UINT_16
        | ConvertedType::UINT_32
        | ConvertedType::UINT_64 => Meaning::Unsigned,
        ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIME_MILLIS => Meaning::Time(1e3),
        ConvertedType::TIMESTAMP_MICROS | ConvertedType::TIME_MICROS => Meaning::Time(1e6),
        _ => Meaning::Number,
    }
}

/// `value / 10^scale`, rounded as the text of it would be read.
pub(super) fn decimal(value: i128, scale: u32) -> f64 {
    let size = u64::try_from(value.unsigned_abs()).ok();
    match size.and_then(|size| cell::scaled(size, scale as usize)) {
        Some(size) => size.copysign(if value < 0 { -1.0 } else { 1.0 }),
        None => format!("{value}e-{scale}").parse().unwrap_or(f64::NAN),
    }
}

/// A whole number as it stands in a decimal: big-endian with a sign; `None` where it is too wide.
pub(super) fn big_endian(bytes: &[u8]) -> Option<i128> {
    let negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
    let mut wide = if negative { [0xff; 16] } else { [0; 16] };
    let start = 16_usize.checked_sub(bytes.len())?;
    wide[start..].copy_from_slice(bytes);
    Some(i128::from_be_bytes(wide))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_as_their_text_is() {
        assert_eq!(decimal(-1234, 2), -12.34);
        assert_eq!(decimal(12_345_678_901_234_567_890, 7), 1_234_567_890_123.456_7);
        assert_eq!(big_endian(&[0xff, 0xfe]), Some(-2));
        assert_eq!(big_endian(&[1, 0]), Some(256));
        assert_eq!(big_endian(&[0; 17]), None);
    }
}
