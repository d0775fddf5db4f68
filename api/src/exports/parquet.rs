//! Apache Parquet: row groups of bounded size, each column in the type that fits it.

use std::sync::Arc;

use anyhow::Context;
use parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::column::{Column, Kind, Value};
use super::row::{Encoder, Rows};

/// A row group is closed when it has so many rows, or so many bytes of text.
const GROUP_ROWS: usize = 1 << 16;
const GROUP_BYTES: usize = 16 << 20;

/// Writes a Parquet file.
pub struct Parquet {
    file: SerializedFileWriter<Vec<u8>>,
    columns: &'static [Column],
    group: Vec<Values>,
    rows: usize,
    bytes: usize,
}

/// The values of a column in the row group that is being filled.
struct Values {
    /// 1 for each row that has a value, 0 for each that has none.
    levels: Vec<i16>,
    values: Typed,
}

enum Typed {
    Bool(Vec<bool>),
    Int(Vec<i32>),
    Long(Vec<i64>),
    Text(Vec<ByteArray>),
}

impl Parquet {
    /// For rows of these columns.
    ///
    /// # Errors
    /// Where there is no such file.
    pub fn new(columns: &'static [Column]) -> anyhow::Result<Self> {
        let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
        let schema = Arc::new(Type::group_type_builder("row").with_fields(fields).build()?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("takujo ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
        let group = columns.iter().map(|column| Values::of(column.kind)).collect();
        Ok(Self { file, columns, group, rows: 0, bytes: 0 })
    }

    fn close_group(&mut self) -> anyhow::Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for (column, values) in self.columns.iter().zip(&mut self.group) {
            let mut writer = group.next_column()?.context("the file has fewer columns than the rows")?;
            values.write(column.nullable, &mut writer).with_context(|| column.name)?;
            writer.close()?;
            *values = Values::of(column.kind);
        }
        group.close()?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// Hands over what the file has grown by.
    fn hand_over(&mut self, out: &mut Vec<u8>) -> anyhow::Result<()> {
        self.file.flush()?;
        out.append(self.file.inner_mut());
        Ok(())
    }
}

impl Encoder for Parquet {
    fn rows(&mut self, rows: &mut Rows<'_>, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let mut row = Vec::new();
        while rows.next(&mut row)? {
            for (values, value) in self.group.iter_mut().zip(&row) {
                self.bytes += values.push(*value)?;
            }
            self.rows += 1;
            if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
                self.close_group()?;
            }
        }
        self.hand_over(out)
    }

    fn end(&mut self, out: &mut Vec<u8>) -> anyhow::Result<()> {
        self.close_group()?;
        self.file.finish()?;
        self.hand_over(out)
    }
}

/// A column of the file.
fn field(column: &Column) -> Result<Arc<Type>, parquet::errors::ParquetError> {
    let millis = LogicalType::timestamp(true, TimeUnit::MILLIS);
    let (physical, logical) = match column.kind {
        Kind::Uuid | Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Json => (Physical::BYTE_ARRAY, Some(LogicalType::Json)),
        Kind::Bool => (Physical::BOOLEAN, None),
        Kind::Int => (Physical::INT32, None),
        Kind::Long => (Physical::INT64, None),
        Kind::Time => (Physical::INT64, Some(millis)),
    };
    let repetition = if column.nullable { Repetition::OPTIONAL } else { Repetition::REQUIRED };
    let field = Type::primitive_type_builder(column.name, physical).with_repetition(repetition);
    field.with_logical_type(logical).build().map(Arc::new)
}

impl Values {
    fn of(kind: Kind) -> Self {
        let values = match kind {
            Kind::Uuid | Kind::Text | Kind::Json => Typed::Text(Vec::new()),
            Kind::Bool => Typed::Bool(Vec::new()),
            Kind::Int => Typed::Int(Vec::new()),
            Kind::Long | Kind::Time => Typed::Long(Vec::new()),
        };
        Self { levels: Vec::new(), values }
    }

    /// Adds a value or none; how many bytes of text it has.
    fn push(&mut self, value: Option<Value<'_>>) -> anyhow::Result<usize> {
        let Some(value) = value else {
            self.levels.push(0);
            return Ok(0);
        };
        self.levels.push(1);
        match (&mut self.values, value) {
            (Typed::Bool(values), Value::Bool(value)) => values.push(value),
            (Typed::Int(values), Value::Int(value)) => values.push(value),
            (Typed::Long(values), Value::Long(value)) => values.push(value),
            (Typed::Long(values), Value::Time(value)) => values.push(value.millis()),
            (Typed::Text(values), Value::Text(text) | Value::Json(text)) => {
                values.push(text.as_bytes().to_vec().into());
                return Ok(text.len());
            }
            (Typed::Text(values), Value::Uuid(id)) => {
                values.push(id.to_string().into_bytes().into());
                return Ok(uuid::fmt::Hyphenated::LENGTH);
            }
            (_, value) => anyhow::bail!("{value} is of another type than its column"),
        }
        Ok(0)
    }

    fn write(&self, nullable: bool, writer: &mut SerializedColumnWriter<'_>) -> anyhow::Result<()> {
        let levels = nullable.then_some(self.levels.as_slice());
        match &self.values {
            Typed::Bool(values) => write::<BoolType>(writer, values, levels),
            Typed::Int(values) => write::<Int32Type>(writer, values, levels),
            Typed::Long(values) => write::<Int64Type>(writer, values, levels),
            Typed::Text(values) => write::<ByteArrayType>(writer, values, levels),
        }
    }
}

/// Writes a column; one without levels must have a value in every row.
fn write<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> anyhow::Result<()> {
    writer.typed::<T>().write_batch(values, levels, None)?;
    Ok(())
}
