import { JsonCodec } from '@apix/proto/core';
import { INT32, type IntegerRange, integerRangeOf, isLongType } from '@apix/proto/internal';
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  ScalarType,
  create,
  createRegistry,
  isMessage,
} from '@bufbuild/protobuf';
import {
  FieldMaskSchema,
  ListValueSchema,
  StructSchema,
  ValueSchema,
  isWrapperDesc,
} from '@bufbuild/protobuf/wkt';
import { base64Decode } from '@bufbuild/protobuf/wire';

/**
 * Reads the text of a path variable or query parameter as a field's value, in the form in which
 * protobuf-es stores an element of that field.
 *
 * @throws RangeError whose message completes "… is ".
 */
export type TextParser = (text: string) => unknown;

/** The parser for a field's elements; undefined for a message type without a text form. */
export function textParserOf(field: DescField): TextParser | undefined {
  if (field.fieldKind === 'map') return undefined;
  if (field.enum !== undefined) return enumParser(field.enum);
  if (isEmptyMessage(field.message)) {
    return field.fieldKind === 'message' ? emptyParser(field.message) : undefined;
  }
  if (field.message !== undefined) return messageParser(field.message);
  const scalar = 'scalar' in field ? field.scalar : undefined;
  const longAsString = 'longAsString' in field && field.longAsString;
  return scalar === undefined ? undefined : scalarParser(scalar, longAsString);
}

const INTEGER = /^-?\d{1,20}$/;
const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** RFC 4648, with or without padding, which is whole where there is any. */
const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/;
/** Beyond this a number is infinite as a float: the middle between the largest one and 2^128. */
const FLOAT_OVERFLOW = 3.4028235677973366e38;
/** Timestamps and the like are read as in a body, so that the same values are refused. */
const JSON_OF_TEXT = new JsonCodec(createRegistry());

function scalarParser(scalar: ScalarType, longAsString: boolean): TextParser | undefined {
  const range = integerRangeOf(scalar);
  if (range === undefined) return PARSERS.get(scalar);
  if (!isLongType(scalar)) return (text) => Number(readInteger(text, range));
  return (text) => {
    const value = readInteger(text, range);
    return longAsString ? String(value) : value;
  };
}

/** Of the types that are no integers. */
const PARSERS: ReadonlyMap<ScalarType, TextParser> = new Map<ScalarType, TextParser>([
  [ScalarType.STRING, (text) => text],
  [ScalarType.BOOL, readBool],
  [ScalarType.BYTES, readBytes],
  [ScalarType.DOUBLE, (text) => readFloat(text, Number.MAX_VALUE, 'double')],
  [ScalarType.FLOAT, (text) => Math.fround(readFloat(text, FLOAT_OVERFLOW, 'float'))],
]);

function readBool(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new RangeError('not a bool: use true or false');
}

function readInteger(text: string, { type, min, max }: IntegerRange): bigint {
  if (!INTEGER.test(text)) throw new RangeError(`not of the type ${type}: use a decimal integer`);
  const value = BigInt(text);
  if (value < min || value > max) throw new RangeError(`out of the range of ${type}`);
  return value;
}

function readFloat(text: string, max: number, type: string): number {
  if (text === 'NaN') return Number.NaN;
  if (text === 'Infinity' || text === '-Infinity') return Number(text);
  if (!NUMBER.test(text)) throw new RangeError(`not a ${type}: use a decimal number`);
  const value = Number(text);
  const isTooLarge = max === FLOAT_OVERFLOW ? Math.abs(value) >= max : Math.abs(value) > max;
  if (isTooLarge) throw new RangeError(`out of the range of ${type}`);
  return value;
}

function readBytes(text: string): Uint8Array {
  if (!BASE64.test(text)) throw new RangeError('not base64');
  return base64Decode(text.replaceAll('-', '+').replaceAll('_', '/'));
}

/** By name or by number, NullValue by `null` too; a closed enum takes only the numbers that it declares. */
function enumParser(desc: DescEnum): TextParser {
  const numbers = new Map(desc.values.map((value) => [value.name, value.number]));
  if (desc.typeName === 'google.protobuf.NullValue') numbers.set('null', 0);
  return (text) => {
    const named = numbers.get(text);
    if (named !== undefined) return named;
    if (!INTEGER.test(text)) throw new RangeError(`not a value of the enum ${desc.typeName}`);
    const number = Number(readInteger(text, { ...INT32, type: 'enum numbers' }));
    if (desc.open || desc.value[number] !== undefined) return number;
    throw new RangeError(`not a value of the enum ${desc.typeName}`);
  };
}

/** Message types whose JSON form is not an object, so that one text can represent them. */
function messageParser(desc: DescMessage): TextParser | undefined {
  switch (desc.typeName) {
    case 'google.protobuf.Timestamp':
      return jsonParser(desc, 'not a timestamp: use a string such as 2017-01-15T01:30:15.01Z');
    case 'google.protobuf.Duration':
      return jsonParser(desc, 'not a duration: use seconds, such as 1.5s');
    case 'google.protobuf.FieldMask':
      return readFieldMask;
    default:
      if (isJsonText(desc)) return jsonTextParser(desc);
      return isWrapperDesc(desc) ? textParserOf(desc.fields[0]) : undefined;
  }
}

const JSON_TEXTS = new Set<string>(
  [ValueSchema, StructSchema, ListValueSchema].map(({ typeName }) => typeName),
);

/** Whether the text of a message is JSON, which may be an object or a list. */
export function isJsonText(desc: DescMessage | undefined): boolean {
  return desc !== undefined && JSON_TEXTS.has(desc.typeName);
}

/** Whether a message type has no fields, as google.protobuf.Empty: no parameter can name one of them to set it. */
export function isEmptyMessage(desc: DescMessage | undefined): desc is DescMessage {
  return desc?.fields.length === 0;
}

/** The empty text, or the JSON of it. */
// Why: docs/decisions/0388
function emptyParser(desc: DescMessage): TextParser {
  return (text) => {
    if (text === '' || text === '{}') return create(desc);
    throw new RangeError(`not empty: ${desc.typeName} has no fields`);
  };
}

function jsonParser(desc: DescMessage, otherwise: string): TextParser {
  return orRangeError(otherwise, (text) => JSON_OF_TEXT.decodeValue(desc, text));
}

function jsonTextParser(desc: DescMessage): TextParser {
  return orRangeError(`not the JSON of a ${desc.typeName}`, (text) => {
    const message = JSON_OF_TEXT.decode(desc, text);
    // A Struct field holds the JSON object itself.
    return isMessage(message, StructSchema) ? (JSON.parse(text) as unknown) : message;
  });
}

function orRangeError(otherwise: string, parse: TextParser): TextParser {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      throw new RangeError(otherwise, { cause: error });
    }
  };
}

const MASK_FIELD = /^[a-z][a-z0-9]*(?:_[a-z][a-z0-9]*)*$/;
/** Every element of a list or map, or the whole resource; a key of a map (AIP-134, AIP-161). */
const MASK_ELEMENT = /^(?:\*|\d+)$/;

/**
 * Comma-separated paths, in the JSON spelling or, as other implementations also accept, in snake_case. A
 * path that does not survive the conversion to JSON and back is refused (ProtoJSON, FieldMask).
 */
function readFieldMask(text: string): unknown {
  const paths = (text === '' ? [] : text.split(',')).map((path) =>
    path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  if (paths.every(isMaskPath)) return create(FieldMaskSchema, { paths });
  throw new RangeError('not a field mask: use field paths separated by commas');
}

function isMaskPath(path: string): boolean {
  return path.split('.').every((part) => MASK_FIELD.test(part) || MASK_ELEMENT.test(part));
}
