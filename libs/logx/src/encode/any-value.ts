import { type FieldValue, isBytes } from '../value/field-value.js';
import { base64Of, quoteJson } from '../value/json-text.js';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/**
 * The value as an AnyValue of OTLP/JSON (opentelemetry/proto/common/v1/common.proto). A safe integer, or a
 * bigint of at most 64 bits, is an `intValue`, in digits; a longer bigint is a `stringValue`. Other numbers are
 * `doubleValue`, written as their names for NaN and the infinities, as in ProtoJSON; null is the empty value.
 */
export function anyValueOf(value: FieldValue): string {
  if (typeof value === 'string') return `{"stringValue":${quoteJson(value)}}`;
  if (typeof value === 'number') return numberValue(value);
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  if (typeof value === 'bigint') {
    const fits = value <= INT64_MAX && value >= INT64_MIN;
    return `{"${fits ? 'intValue' : 'stringValue'}":"${value}"}`;
  }
  if (value === null) return '{}';
  if (isBytes(value)) return `{"bytesValue":"${base64Of(value)}"}`;
  if (Array.isArray(value)) return `{"arrayValue":{"values":[${value.map(anyValueOf).join(',')}]}}`;
  const members = Object.entries(value as Readonly<Record<string, FieldValue>>);
  const list = members.map(
    ([name, member]) => `{"key":${quoteJson(name)},"value":${anyValueOf(member)}}`,
  );
  return `{"kvlistValue":{"values":[${list.join(',')}]}}`;
}

function numberValue(value: number): string {
  if (Number.isSafeInteger(value)) return `{"intValue":"${value}"}`;
  return `{"doubleValue":${Number.isFinite(value) ? value : `"${value}"`}}`;
}
