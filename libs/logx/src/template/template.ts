import { escapeJson, quoteJson } from '../value/json-text.js';
import { type Preparable, Prepared } from './prepared.js';
import type { ValueFormat } from './value-format.js';

/** `@` keeps the value unchanged, `$` converts it to a text. */
export type Capture = '' | '@' | '$';

/** A place in a template that an argument fills. */
export interface Hole {
  /** The hole as it is written, braces included; shown if the argument is missing. */
  readonly raw: string;
  /** The field's name in events. */
  readonly field: string;
  readonly capture: Capture;
  /** Width of the value in the message, negative for left-aligned; 0: no width. */
  readonly alignment: number;
  readonly format: ValueFormat | undefined;
  /** The index of the argument that fills it. */
  readonly argument: number;
  /** False if an earlier hole has the same field: that one writes it. */
  readonly writesField: boolean;
  /** Whether the value is written into the message unchanged. */
  readonly isPlain: boolean;
}

interface FieldNames {
  has(field: string): boolean;
}

/** A parsed message template: `texts[0] hole[0] texts[1] … hole[n-1] texts[n]`. */
export class Template implements Preparable {
  /** Whether it has no holes: its first text is the whole message. */
  readonly isText: boolean;
  /** Whether it is a text without braces, which is the message as it is. */
  readonly isPlainText: boolean;
  /** Whether positions leave out an argument or use one twice: `{1}`, `{0} {0}`. */
  readonly skipsArguments: boolean;
  /** How many arguments the holes take. */
  readonly argumentCount: number;
  #prepared: Prepared | undefined;
  #lastScope: FieldNames | undefined;
  #meetsLastScope = false;
  #json: string | undefined;
  #textsJson: readonly string[] | undefined;

  constructor(
    /** As it was given. */
    readonly text: string,
    readonly holes: readonly Hole[],
    /** The texts between the holes, one more than there are holes. */
    readonly texts: readonly string[],
  ) {
    this.isText = holes.length === 0;
    this.isPlainText = this.isText && text === texts[0];
    this.skipsArguments = !this.isText && holes.some(({ argument }, i) => argument !== i);
    this.argumentCount = this.isText
      ? 0
      : holes.reduce((count, { argument }) => Math.max(count, argument + 1), 0);
  }

  get prepared(): Prepared {
    return (this.#prepared ??= new Prepared());
  }

  /** Whether the scope has a field with the name of a hole; a template is usually used with one scope. */
  meets(scope: FieldNames): boolean {
    if (this.isText) return false;
    if (this.#lastScope !== scope) {
      this.#lastScope = scope;
      this.#meetsLastScope = meets(this.holes, scope);
    }
    return this.#meetsLastScope;
  }

  /** The template itself as a JSON string. */
  get json(): string {
    return (this.#json ??= this.isPlainText ? `"${this.textsJson[0]!}"` : quoteJson(this.text));
  }

  /** The texts between the holes, escaped for the inside of a JSON string. */
  get textsJson(): readonly string[] {
    return (this.#textsJson ??= this.texts.map(escapeJson));
  }
}

/** A separate function, so that only a new scope costs a function. */
function meets(holes: readonly Hole[], scope: FieldNames): boolean {
  return holes.some(({ field }) => scope.has(field));
}
