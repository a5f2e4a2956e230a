import { Prepared } from '../template/prepared.js';
import { isBytes } from '../value/field-value.js';
import { base64Of, quoteJson } from '../value/json-text.js';
import type { Shape } from '../value/shape.js';
import { isList, TakenMembers, type TakenValue } from '../value/taken-value.js';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** The text before the value of each member. */
const keysOf = Prepared.by((shape: Shape): readonly string[] =>
  shape.names.map((name, i) => (i === 0 ? '' : ',') + textBeforeValue(name)),
);

/**
 * The value as an AnyValue of OTLP/JSON (opentelemetry/proto/common/v1/common.proto). A safe integer, or a
 * bigint of at most 64 bits, is an `intValue`, in digits; a longer bigint is a `stringValue`. Other numbers are
 * `doubleValue`, written as their names for NaN and the infinities, as in ProtoJSON; null is the empty value.
 */
export function anyValueOf(value: TakenValue): string {
  if (typeof value === 'string') return `{"stringValue":${quoteJson(value)}}`;
  if (typeof value === 'number') return numberValue(value);
  if (typeof value === 'boolean') return `{"boolValue":${value}}`;
  if (typeof value === 'bigint') {
    const fits = value <= INT64_MAX && value >= INT64_MIN;
    return `{"${fits ? 'intValue' : 'stringValue'}":"${value}"}`;
  }
  if (value === null) return '{}';
  if (value instanceof TakenMembers) return membersValue(value.names, value.values, value.shape);
  if (isList(value)) return listValue(value);
  if (isBytes(value)) return `{"bytesValue":"${base64Of(value)}"}`;
  return membersValue(Object.keys(value), Object.values(value));
}

function listValue(list: readonly TakenValue[]): string {
  let text = '{"arrayValue":{"values":[';
  for (let i = 0; i < list.length; i++) {
    if (i > 0) text += ',';
    text += anyValueOf(list[i]!);
  }
  return text + ']}}';
}

function membersValue(
  names: readonly string[],
  values: readonly TakenValue[],
  shape?: Shape,
): string {
  const keys = shape && keysOf(shape);
  let text = '{"kvlistValue":{"values":[';
  for (let i = 0; i < values.length; i++) {
    text += keys === undefined ? (i === 0 ? '' : ',') + textBeforeValue(names[i]!) : keys[i]!;
    text += anyValueOf(values[i]!) + '}';
  }
  return text + ']}}';
}

/** The start of a KeyValue, up to its value. */
export function textBeforeValue(name: string): string {
  return `{"key":${quoteJson(name)},"value":`;
}

function numberValue(value: number): string {
  if (Number.isSafeInteger(value)) return `{"intValue":"${value}"}`;
  return `{"doubleValue":${Number.isFinite(value) ? value : `"${value}"`}}`;
}
