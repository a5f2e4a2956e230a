import { create, type DescMessage } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import type { CelType } from '../cel-type.js';
import { greater, greaterOrEqual, less, lessOrEqual } from '../functions/order.js';
import { equalValues } from '../values/compare.js';
import type { CelFieldReader } from '../values/read-field.js';

/** A field of the record, or a field of a message in it. */
export interface RecordField {
  /** As in the expression, without the name of the record: `customer`, `address.city`. */
  readonly path: string;
  readonly type: CelType;
  /** Whether `has` tells a value from none, rather than the default from others. */
  readonly hasPresence: boolean;
  /** What it reads as where nothing is set, as in a row whose column is NULL. */
  readonly unset: unknown;
  read(record: unknown): unknown;
  isSet(record: unknown): boolean;
}

export type FilterOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** What is true where a comparison is false, of values that have an order. */
export const NEGATED: Readonly<Record<FilterOperator, FilterOperator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

/** A test of one field. Values are those of CEL, of the field's type. */
export type FieldTest =
  | {
      readonly kind: 'compare';
      readonly field: RecordField;
      readonly operator: FilterOperator;
      readonly value: unknown;
    }
  | { readonly kind: 'in'; readonly field: RecordField; readonly values: readonly unknown[] }
  | {
      readonly kind: 'contains' | 'startsWith' | 'endsWith';
      readonly field: RecordField;
      readonly value: string;
    }
  /** The field is a list that has the value. */
  | { readonly kind: 'includes'; readonly field: RecordField; readonly value: unknown }
  | { readonly kind: 'isSet'; readonly field: RecordField };

/** What remains of a condition once all that is known of the caller is computed. */
export type RecordFilter =
  | { readonly kind: 'everything' | 'nothing' }
  /** What could not be computed: neither it nor its negation is true. */
  | { readonly kind: 'error' }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly RecordFilter[] }
  | { readonly kind: 'not'; readonly part: RecordFilter }
  /** `test ? yes : no`; an error of the test is one of it all, whatever the other parts are. */
  | {
      readonly kind: 'choice';
      readonly test: RecordFilter;
      readonly yes: RecordFilter;
      readonly no: RecordFilter;
    }
  | FieldTest;

/** Whether the record passes: what is an error for it does not. */
export function matchesFilter(filter: RecordFilter, record: unknown): boolean {
  return truthOf(filter, record) === true;
}

/** Undefined is an error, which `and` and `or` absorb as CEL does. */
function truthOf(filter: RecordFilter, record: unknown): boolean | undefined {
  switch (filter.kind) {
    case 'everything':
      return true;
    case 'nothing':
      return false;
    case 'error':
      return undefined;
    case 'not': {
      const truth = truthOf(filter.part, record);
      return truth === undefined ? undefined : !truth;
    }
    case 'choice': {
      const chosen = truthOf(filter.test, record);
      return chosen === undefined ? undefined : truthOf(chosen ? filter.yes : filter.no, record);
    }
    case 'and':
    case 'or': {
      const decisive = filter.kind === 'or';
      let result: boolean | undefined = !decisive;
      for (const part of filter.parts) {
        const truth = truthOf(part, record);
        if (truth === decisive) return decisive;
        if (truth === undefined) result = undefined;
      }
      return result;
    }
    case 'isSet':
      return filter.field.isSet(record);
    case 'compare':
    case 'in':
    case 'contains':
    case 'startsWith':
    case 'endsWith':
    case 'includes':
      return holdsFor(filter, filter.field.read(record));
  }
}

const ORDERS: Readonly<Record<'<' | '<=' | '>' | '>=', (a: unknown, b: unknown) => unknown>> = {
  '<': less,
  '<=': lessOrEqual,
  '>': greater,
  '>=': greaterOrEqual,
};

/** Values of filters hold no messages whose descriptor would be needed. */
const NO_MESSAGES = (): undefined => undefined;

/** Whether the test holds for a value of the field; undefined is an error. */
export function holdsFor(
  test: Exclude<FieldTest, { readonly kind: 'isSet' }>,
  value: unknown,
): boolean | undefined {
  switch (test.kind) {
    case 'compare': {
      const { operator } = test;
      if (operator === '==' || operator === '!=') {
        return sameFieldValue(value, test.value) === (operator === '==');
      }
      const holds = ORDERS[operator](value, test.value);
      return typeof holds === 'boolean' ? holds : undefined;
    }
    case 'in':
      return test.values.some((candidate) => sameFieldValue(value, candidate));
    case 'contains':
      return typeof value === 'string' ? value.includes(test.value) : undefined;
    case 'startsWith':
      return typeof value === 'string' ? value.startsWith(test.value) : undefined;
    case 'endsWith':
      return typeof value === 'string' ? value.endsWith(test.value) : undefined;
    case 'includes':
      return Array.isArray(value) && value.some((part) => sameFieldValue(part, test.value));
  }
}

function sameFieldValue(a: unknown, b: unknown): boolean {
  // Of timestamps the order says it, without their descriptor.
  if (typeof a === 'object' && typeof b === 'object' && lessOrEqual(a, b) === true) {
    return lessOrEqual(b, a) === true;
  }
  return equalValues(a, b, NO_MESSAGES);
}

/** A field that is reached through the readers, the outermost first. */
export function recordField(
  desc: DescMessage,
  path: readonly string[],
  readers: readonly CelFieldReader[],
): RecordField {
  const last = readers.at(-1);
  const outer = readers.slice(0, -1);
  const read = (record: unknown): unknown =>
    readers.reduce((value, reader) => reader.read(value), record);
  return {
    path: path.join('.'),
    type: last?.type ?? { kind: 'dyn' },
    hasPresence: last !== undefined && last.field.presence !== FeatureSet_FieldPresence.IMPLICIT,
    unset: read(create(desc)),
    read,
    isSet: (record) =>
      last?.isSet(outer.reduce((value, reader) => reader.read(value), record)) === true,
  };
}
