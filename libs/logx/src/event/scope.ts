import type { FieldValue } from '../value/field-value.js';

/** How a format writes a field where fields just stand one after the other. */
export interface FieldStyle {
  /** Where the style's text is kept in a scope. */
  readonly slot: number;
  write(field: string, value: FieldValue): string;
}

/**
 * The fields that a child logger adds to its parent's. Their text is made once for each format,
 * when the first event needs it.
 */
export class Scope {
  readonly #texts: (string | undefined)[] = [];
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
    const known = this.#texts[style.slot];
    if (known !== undefined) return known;
    const { parent } = this;
    let text = '';
    if (parent === undefined || this.names.some((name) => parent.has(name))) {
      text = this.textWithout(() => false, style);
    } else {
      text = parent.text(style);
      this.names.forEach((name, i) => {
        text += style.write(name, this.values[i]!);
      });
    }
    this.#texts[style.slot] = text;
    return text;
  }

  /** The text without the fields that an event has itself. */
  textWithout(isHidden: (field: string) => boolean, style: FieldStyle): string {
    let text = '';
    for (const [name, value] of this.all) if (!isHidden(name)) text += style.write(name, value);
    return text;
  }
}

export const EMPTY_SCOPE = new Scope(undefined, [], []);
