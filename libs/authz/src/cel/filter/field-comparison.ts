import { CelUint, isTimestamp } from '../values/cel-value.js';
import type { FilterOperator, RecordField, RecordFilter } from './record-filter.js';

const ALWAYS: RecordFilter = { kind: 'everything' };
const NEVER: RecordFilter = { kind: 'nothing' };

/** Types of fields that a database compares as CEL does. */
export const COMPARABLE: ReadonlySet<string> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'timestamp',
]);

/** The kind of the values of a field, whether it is a wrapper or not. */
export function valueKind({ type }: Pick<RecordField, 'type'>): string {
  return type.kind === 'wrapper' ? type.of : type.kind;
}

/** A comparison with a value that is known; one of another type is decided here, as it is the same for all records. */
export function compareField(
  field: RecordField,
  operator: FilterOperator,
  value: unknown,
): RecordFilter {
  const equality = operator === '==' || operator === '!=';
  const unequal = operator === '!=' ? ALWAYS : NEVER;
  if (value === null) {
    if (!equality) return { kind: 'error' };
    return field.type.kind === 'wrapper' ? { kind: 'compare', field, operator, value } : unequal;
  }
  const fitting = fittingValue(valueKind(field), value, equality);
  if (fitting !== undefined) return { kind: 'compare', field, operator, value: fitting };
  return equality ? unequal : { kind: 'error' };
}

/** The value as one of the field's kind; undefined if no value of the field equals it or has an order with it. */
function fittingValue(kind: string, value: unknown, equality: boolean): unknown {
  switch (kind) {
    case 'bool':
      return typeof value === 'boolean' ? value : undefined;
    case 'string':
      return typeof value === 'string' ? value : undefined;
    case 'bytes':
      return value instanceof Uint8Array ? value : undefined;
    case 'timestamp':
      return isTimestamp(value) ? value : undefined;
    case 'double':
      return fittingDouble(value, equality);
    case 'int':
    case 'uint':
      return fittingInt(value, equality);
    default:
      return undefined;
  }
}

function fittingDouble(value: unknown, equality: boolean): unknown {
  if (typeof value === 'number') return value;
  const whole = value instanceof CelUint ? value.value : value;
  if (typeof whole !== 'bigint') return undefined;
  const double = Number(whole);
  return equality && BigInt(double) !== whole ? undefined : double;
}

/** A double stays one for the order, which CEL compares as doubles. */
function fittingInt(value: unknown, equality: boolean): unknown {
  if (value instanceof CelUint) return value.value;
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') return undefined;
  if (!equality) return value;
  return Number.isInteger(value) ? BigInt(value) : undefined;
}
