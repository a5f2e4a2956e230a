import type { TraceIds } from '@apix/contracts';
import { type Preparable, Prepared } from '../template/prepared.js';
import type { FieldValue } from '../value/field-value.js';
import { jsonOf, quoteJson } from '../value/json-text.js';

/** How a format writes fields as a flat list. */
export interface FieldStyle {
  /** Fields whose name in the format depends on their value or on other fields. Default: none. */
  readonly special?: { has(field: string): boolean };
  /** Whether a name that the format gives to a field of the scope may be in the way of the field. Default: none. */
  readonly isInWay?: (scope: Scope, field: string) => boolean;
  /** The names and values in the format of all fields of a line; required if there are special ones. */
  readonly together?: (
    fields: ReadonlyMap<string, FieldValue>,
    isArgument: (field: string) => boolean,
    added: ReadonlyMap<string, FieldValue>,
  ) => ReadonlyMap<string, FieldValue>;
  /** The name in the format of a field that is not special. */
  rename(field: string): string;
  /** The same with its value. */
  write(field: string, value: FieldValue): string;
}

/** A function that returns all fields of a scope, written one after the other; created once for each scope. */
export function scopeTexts(style: FieldStyle): (scope: Scope) => string {
  const textOf: (scope: Scope) => string = Prepared.by((scope: Scope): string =>
    scope.text(style, textOf),
  );
  return textOf;
}

/**
 * All the fields, written one after the other; of two with the same name in the format, only the last.
 *
 * @param added further fields, under their names in the format.
 */
export function textOfFields(
  fields: ReadonlyMap<string, FieldValue>,
  style: FieldStyle,
  isArgument: (field: string) => boolean = () => false,
  added: ReadonlyMap<string, FieldValue> = new Map(),
): string {
  let text = '';
  if (style.together === undefined) {
    for (const [field, value] of fields) text += style.write(field, value);
    return text;
  }
  for (const [name, value] of style.together(fields, isArgument, added)) {
    text += `,${quoteJson(name)}:${jsonOf(value)}`;
  }
  return text;
}

const TRACE_ID = 'trace_id';
const SPAN_ID = 'span_id';

/** The fields that a child logger adds to its parent's. */
export class Scope implements Preparable {
  readonly prepared = new Prepared();
  #all: ReadonlyMap<string, FieldValue> | undefined;
  #inSpan: Scope | undefined;

  constructor(
    readonly parent: Scope | undefined,
    /** The names of the fields that it adds. */
    readonly names: readonly string[],
    readonly values: readonly FieldValue[],
  ) {}

  has(field: string): boolean {
    return this.names.includes(field) || (this.parent?.has(field) ?? false);
  }

  /** The value of a field in the nearest scope that has it. */
  valueOf(field: string): FieldValue | undefined {
    const at = this.names.indexOf(field);
    return at === -1 ? this.parent?.valueOf(field) : this.values[at];
  }

  /** This scope with the ids of a span; the scope itself if it has them already. */
  inSpan({ traceId, spanId }: TraceIds): Scope {
    if (this.valueOf(SPAN_ID) === spanId) return this;
    // Events of the same span usually follow one another.
    const last = this.#inSpan;
    if (last?.valueOf(SPAN_ID) === spanId) return last;
    return (this.#inSpan = new Scope(this, [TRACE_ID, SPAN_ID], [traceId, spanId]));
  }

  /** Every field; a child's field replaces its parent's. */
  get all(): ReadonlyMap<string, FieldValue> {
    if (this.#all !== undefined) return this.#all;
    const all = new Map(this.parent?.all);
    this.names.forEach((name, i) => all.set(name, this.values[i]!));
    return (this.#all = all);
  }

  /**
   * All fields, written one after the other; see {@link scopeTexts}.
   *
   * @param textOf returns the text of the parent.
   */
  text(style: FieldStyle, textOf: (parent: Scope) => string): string {
    const { parent, names } = this;
    if (
      parent === undefined ||
      names.some(
        (name) => parent.has(name) || style.special?.has(name) || style.isInWay?.(parent, name),
      )
    ) {
      return textOfFields(this.all, style);
    }
    return names.reduce(
      (text, name, i) => text + style.write(name, this.values[i]!),
      textOf(parent),
    );
  }
}

export const EMPTY_SCOPE = new Scope(undefined, [], []);
