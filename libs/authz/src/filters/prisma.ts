import type { DescMessage } from '@bufbuild/protobuf';
import { valueKind } from '../cel/filter/field-comparison.js';
import { columnsOf, type ListFilter } from '../cel/filter/list-filter.js';
import {
  type FieldTest,
  holdsFor,
  NEGATED,
  type RecordFilter,
} from '../cel/filter/record-filter.js';
import { isStorable } from '../cel/filter/sql-text.js';
import { inexpressible, prismaValue, rangeOf, wholeOf } from './prisma-value.js';

/** A `where` object of Prisma, which fits that of each model. */
export type PrismaWhere = Readonly<Record<string, never>>;

/** A part of a `where` object of Prisma. */
type WherePart = Readonly<Record<string, unknown>>;

/**
 * A constant is none of Prisma's objects until the end: of `{ AND: [{ OR: [] }, …] }`, which should find nothing, Prisma
 * drops the part that says so.
 */
type Written = WherePart | boolean;

const ORDERS: Readonly<Record<'<' | '<=' | '>' | '>=', (a: boolean, b: unknown) => boolean>> = {
  '<': (a, b) => !a && b === true,
  '<=': (a, b) => !a || b === true,
  '>': (a, b) => a && b === false,
  '>=': (a, b) => a || b === false,
};
const WORDS = {
  '==': 'equals',
  '!=': 'not',
  '<': 'lt',
  '<=': 'lte',
  '>': 'gt',
  '>=': 'gte',
} as const;

/** A property of a model, and whether it may be null. */
interface Property {
  readonly name: string;
  readonly isNullable: boolean;
}

/**
 * The filter as a `where` object of Prisma on PostgreSQL: `findMany({ where: { AND: [own, prismaWhere(filter, …)] } })`.
 *
 * @param columns the property of each field that the filter tests, by its path, with a `?` as in the schema if it may be
 * null: `{ customer: 'customer', note: 'note?' }`. Integers are BigInt or Int, bytes Bytes, times DateTime.
 * @throws Error if a field has no property, and for what a `where` object cannot say as the condition means it: the order
 * of texts, that of doubles where NaN would be on the wrong side, times between two milliseconds. `$queryRaw` with `toSqlTemplate` can.
 */
export function prismaWhere(
  filter: ListFilter,
  columns: Readonly<Record<string, string>>,
): PrismaWhere {
  const nameOf = columnsOf(filter, columns, 'prismaWhere');
  const writer = new WhereWriter(filter.desc, (path) => {
    const name = nameOf(path);
    return { name: name.replace(/\?$/, ''), isNullable: name.endsWith('?') };
  });
  const where = writer.write(filter.where, false);
  return (typeof where === 'boolean' ? constantWhere(where, columns) : where) as PrismaWhere;
}

function constantWhere(everything: boolean, columns: Readonly<Record<string, string>>): WherePart {
  if (everything) return {};
  const [name] = Object.values(columns);
  if (name === undefined) {
    throw new Error(
      'authz: prismaWhere needs a column of the list filter, by which it can list nothing',
    );
  }
  return { [name.replace(/\?$/, '')]: { in: [] } };
}

function every(parts: readonly Written[]): Written {
  if (parts.includes(false)) return false;
  const open = parts.filter((part) => part !== true);
  return open.length === 0 ? true : open.length === 1 ? open[0]! : { AND: open };
}

function some(parts: readonly Written[]): Written {
  if (parts.includes(true)) return true;
  const open = parts.filter((part) => part !== false);
  return open.length === 0 ? false : open.length === 1 ? open[0]! : { OR: open };
}

class WhereWriter {
  constructor(
    private readonly desc: DescMessage,
    private readonly propertyOf: (path: string) => Property,
  ) {}

  /** Negations go down to the tests of fields, as SQL has a third value for NULL. */
  write(filter: RecordFilter, negate: boolean): Written {
    switch (filter.kind) {
      case 'everything':
      case 'nothing':
        return (filter.kind === 'everything') !== negate;
      case 'error':
        return false;
      case 'not':
        return this.write(filter.part, !negate);
      case 'choice': {
        const { test, yes, no } = filter;
        return some([
          every([this.write(test, false), this.write(yes, negate)]),
          every([this.write(test, true), this.write(no, negate)]),
        ]);
      }
      case 'and':
      case 'or': {
        const parts = filter.parts.map((part) => this.write(part, negate));
        return (filter.kind === 'and') === negate ? some(parts) : every(parts);
      }
      case 'compare':
      case 'contains':
      case 'endsWith':
      case 'in':
      case 'includes':
      case 'isSet':
      case 'startsWith':
        return this.#test(filter, negate);
    }
  }

  #test(test: FieldTest, negate: boolean): Written {
    const property = this.propertyOf(test.field.path);
    const isList = test.field.type.kind === 'list';
    if (test.kind === 'isSet') {
      return isList ? presentList(property, negate) : present(property, negate);
    }
    if (test.kind === 'includes')
      return included(property, this.#equalTo(test, test.value), negate);
    const part = this.#compared(test, property, negate);
    const unset = holdsFor(test, test.field.unset);
    const holds = property.isNullable && unset !== undefined && unset !== negate;
    return holds ? some([part, { [property.name]: null }]) : part;
  }

  /** What is true or false for a value, and not true for NULL. */
  #compared(
    test: Exclude<FieldTest, { readonly kind: 'isSet' | 'includes' }>,
    property: Property,
    negate: boolean,
  ): Written {
    const { name } = property;
    const constant = (holds: boolean): Written => holds !== negate && present(property, false);
    switch (test.kind) {
      case 'contains':
      case 'startsWith':
      case 'endsWith': {
        if (!isStorable(test.value)) return constant(false);
        // Prisma passes % and _ on as the placeholders of LIKE.
        const found = { [test.kind]: test.value.replaceAll(/[\\%_]/g, '\\$&') };
        return { [name]: negate ? { not: found } : found };
      }
      case 'in': {
        const values = test.values.flatMap((value) => this.#equalTo(test, value));
        if (values.length === 0) return constant(false);
        return { [name]: negate ? { notIn: values } : { in: values } };
      }
      case 'compare': {
        const operator = negate ? NEGATED[test.operator] : test.operator;
        if (test.value === null) return present(property, operator === '==');
        if (operator === '==' || operator === '!=') {
          const [value] = this.#equalTo(test, test.value);
          if (value === undefined) return operator !== '==' && present(property, false);
          return { [name]: { [WORDS[operator]]: value } };
        }
        return this.#ordered(test, property, operator, negate);
      }
    }
  }

  #ordered(
    test: Extract<FieldTest, { readonly kind: 'compare' }>,
    property: Property,
    operator: keyof typeof ORDERS,
    negate: boolean,
  ): Written {
    const { field, value } = test;
    if (Number.isNaN(value)) return negate && present(property, false);
    const kind = valueKind(field);
    const isGreater = operator === '>' || operator === '>=';
    if (kind === 'string') throw inexpressible(field.path, 'the order of texts');
    if (kind === 'bytes') throw inexpressible(field.path, 'the order of bytes');
    if (kind === 'bool') {
      const [holding, ...more] = [false, true].filter((each) => ORDERS[operator](each, value));
      if (more.length > 0) return present(property, false);
      return holding !== undefined && { [property.name]: { equals: holding } };
    }
    if (kind === 'double') {
      // PostgreSQL takes NaN for the greatest number; CEL says no to both.
      if (isGreater !== negate) throw inexpressible(field.path, 'the order of doubles');
      if (!Number.isFinite(value)) throw inexpressible(field.path, 'an infinite number');
    } else if (typeof value === 'number') {
      // An integer below 2.5 is at most 2.
      if (!Number.isSafeInteger(Math.floor(value))) {
        throw inexpressible(field.path, 'so great a number');
      }
      if (!Number.isInteger(value)) {
        const whole = BigInt(Math.floor(value));
        return this.#ordered({ ...test, value: whole }, property, isGreater ? '>' : '<=', negate);
      }
    }
    const whole = wholeOf(value);
    const range = whole === undefined ? undefined : rangeOf(this.desc, field.path);
    if (range !== undefined && (whole! < range[0] || whole! > range[1])) {
      return isGreater === whole! < range[0] && present(property, false);
    }
    return { [property.name]: { [WORDS[operator]]: prismaValue(test, value) } };
  }

  /** The value as Prisma takes it; none if no column of the field has it. */
  #equalTo(test: FieldTest, value: unknown): readonly unknown[] {
    if (!isStorable(value) || Number.isNaN(value)) return [];
    const whole = wholeOf(value);
    const range = whole === undefined ? undefined : rangeOf(this.desc, test.field.path);
    if (range !== undefined && (whole! < range[0] || whole! > range[1])) return [];
    return [prismaValue(test, value)];
  }
}

function present({ name, isNullable }: Property, negate: boolean): Written {
  if (!isNullable) return !negate;
  return { [name]: negate ? null : { not: null } };
}

function presentList({ name, isNullable }: Property, negate: boolean): WherePart {
  if (!negate) return { [name]: { isEmpty: false } };
  const empty = { [name]: { isEmpty: true } };
  return isNullable ? { OR: [empty, { [name]: { equals: null } }] } : empty;
}

function included(
  { name, isNullable }: Property,
  [value]: readonly unknown[],
  negate: boolean,
): Written {
  if (value === undefined) return negate;
  if (!negate) return { [name]: { has: value } };
  const not = { NOT: { [name]: { has: value } } };
  return isNullable ? { OR: [not, { [name]: { equals: null } }] } : not;
}
