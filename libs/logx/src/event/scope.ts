import type { FieldValue } from '../value/field-value.js';

/** How a format writes a field where fields just stand one after the other. */
export interface FieldStyle {
  /** Where the style's text is kept in the plans of a scope. */
  readonly slot: number;
  /** Fields whose name in the format depends on their value or may meet another field's. */
  readonly special?: ReadonlySet<string>;
  /** The field's name in the format. */
  rename(field: string, value?: FieldValue): string;
  write(field: string, value: FieldValue): string;
}

/** All the fields, written one after the other; of two with one name in the format, the last. */
export function textOfFields(fields: ReadonlyMap<string, FieldValue>, style: FieldStyle): string {
  let text = '';
  if (style.special === undefined) {
    for (const [field, value] of fields) text += style.write(field, value);
    return text;
  }
  const texts = new Map<string, string>();
  for (const [field, value] of fields) {
    texts.set(style.rename(field, value), style.write(field, value));
  }
  for (const each of texts.values()) text += each;
  return text;
}

/**
 * The fields that a child logger adds to its parent's. Their text is made once for each format,
 * when the first event needs it.
 */
export class Scope {
  /** What encoders prepare once for a scope, each in a slot of its own. */
  readonly plans: unknown[] = [];
  /** The text of all fields as bytes, for formats that are written as bytes. */
  readonly fragments: Uint8Array[] = [];
  #all: ReadonlyMap<string, FieldValue> | undefined;

  constructor(
    private readonly parent: Scope | undefined,
    private readonly names: readonly string[],
    private readonly values: readonly FieldValue[],
  ) {}

  has(field: string): boolean {
    return this.names.includes(field) || (this.parent?.has(field) ?? false);
  }

  /** Every field; a child's stands in place of its parent's. */
  get all(): ReadonlyMap<string, FieldValue> {
    if (this.#all !== undefined) return this.#all;
    const all = new Map(this.parent?.all);
    this.names.forEach((name, i) => all.set(name, this.values[i]!));
    return (this.#all = all);
  }

  /** All fields, written one after the other. */
  text(style: FieldStyle): string {
    const known = this.plans[style.slot] as string | undefined;
    if (known !== undefined) return known;
    const { parent, names } = this;
    let text: string;
    if (
      parent === undefined ||
      names.some((name) => parent.has(name) || style.special?.has(name))
    ) {
      text = textOfFields(this.all, style);
    } else {
      text = parent.text(style);
      names.forEach((name, i) => {
        text += style.write(name, this.values[i]!);
      });
    }
    this.plans[style.slot] = text;
    return text;
  }
}

export const EMPTY_SCOPE = new Scope(undefined, [], []);
