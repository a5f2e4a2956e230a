import type { Dice } from './dice.fixture.js';

/**
 * Names of fields that have gone wrong: in prototypes, in generated code, in JSON.
 * `has_own_property` and others that every object inherits are not among them: protobuf-es takes
 * what a message inherits under such a name for the value of the field, and writes into it.
 */
/** Names of fields that have gone wrong somewhere: in prototypes, in generated code, in JSON. */
const ODD = [
  'constructor',
  '__proto__',
  'prototype',
  'to_string',
  'value_of',
  'case',
  'value',
  'kind',
  'type_name',
  'length',
  'then',
  'default',
  'function',
  'get',
  'set',
  '_leading',
  'trailing_',
  'a__b',
  'A',
  'ABC',
  'fooBar',
  'foo_1_a',
  'x1',
  '_1',
  'unknown',
  'to_json',
  'type',
  'at_type',
  'field_with_a_name_that_is_much_longer_than_most_names_are',
];

const ODD_JSON = [
  'größe',
  'a b',
  'a"b',
  'back\\slash',
  'tab\tnew\nline',
  '日本',
  '🌍',
  'a.b',
  '@type',
  '1',
  '-',
  '__proto__',
  'constructor',
  'toString',
  '\u2028',
  '$typeName',
  '$unknown',
  'null',
  '{',
  '[a',
];

/** Names of the fields of one message: no two alike in any form that they take. */
export class FieldNames {
  readonly #taken = new Set<string>();

  constructor(private readonly dice: Dice) {}

  next(): string {
    for (;;) {
      const name = this.dice.chance(0.3) ? this.dice.pick(ODD) : `f_${this.dice.int(0, 9999)}`;
      if (this.#take(name)) return name;
    }
  }

  /** A JSON name for a field: mostly the one that a compiler writes. */
  json(name: string): string {
    const odd = this.dice.pick(ODD_JSON);
    return this.dice.chance(0.07) && this.#take(odd) ? odd : camelCase(name);
  }

  #take(name: string): boolean {
    const forms = [name, camelCase(name), name.replaceAll('_', '').toLowerCase()];
    if (forms.some((form) => this.#taken.has(form))) return false;
    for (const form of forms) this.#taken.add(form);
    return true;
  }
}

/** As compilers make JSON names: each underscore goes, the letter after it becomes upper case. */
function camelCase(name: string): string {
  return name.replaceAll(/_+(.?)/g, (_, letter: string) => letter.toUpperCase());
}
