import type { Level } from '../levels/level.js';
import { plainTemplate } from '../template/parse-template.js';
import type { Hole, Template } from '../template/template.js';
import type { FieldValue } from '../value/field-value.js';
import { escapeJson, jsonOf } from '../value/json-text.js';
import { plainText } from '../value/plain-text.js';
import { fieldValue, type TakenValue } from '../value/taken-value.js';
import { CAUSED_BY } from './error-text.js';
import { type ExtraFields, NO_EXTRAS } from './extra-fields.js';
import type { Caller, LogEvent } from './log-event.js';
import type { Scope } from './scope.js';

/** The kind of request that an event reports, for formats that have fields for it; any template is allowed. */
export type EventKind = 'http' | 'grpc';

/**
 * What a field is: a whole number, milliseconds with up to three decimals, a text, or one of a few words, which
 * no limit of texts concerns.
 */
type KnownFieldKind = 'count' | 'ms' | 'text' | 'word';

/** The template and the fields of a kind of event, for which formats prepare the parts of its line. */
export interface EventShape {
  readonly kind: EventKind;
  readonly template: Template;
  /** The types of the values of its holes; it ends with the last of them. */
  readonly holes: readonly ('number' | 'string')[];
  /** The fields in addition to those of the template, in their order. */
  readonly fields: readonly (readonly [name: string, kind: KnownFieldKind])[];
}

export type KnownValue = string | number | undefined;

/** The values of an event of a known shape, in its order; one that is undefined is not there. */
export interface KnownEventFields {
  readonly shape: EventShape;
  readonly values: readonly KnownValue[];
}

/** The details that most events do not have. */
export interface EventDetails {
  readonly extras: ExtraFields;
  readonly error: string | undefined;
  /** The class of the error, such as `TypeError`. */
  readonly errorType: string | undefined;
  /** The stack of the error and those of its causes. */
  readonly stacks: readonly string[] | undefined;
  readonly caller: Caller | undefined;
  readonly kind: EventKind | undefined;
  /** All data of the event in addition to its template, if a format can know its shape. */
  readonly known?: KnownEventFields | undefined;
}

const NO_HOLES: readonly Hole[] = [];

const NO_DETAILS: EventDetails = {
  extras: NO_EXTRAS,
  error: undefined,
  errorType: undefined,
  stacks: undefined,
  caller: undefined,
  kind: undefined,
};

/** The values of the holes as JSON, and the message between the quotes of a JSON string. */
interface EventJson {
  readonly values: readonly string[];
  readonly message: string;
}

/** What is derived from an event when it is first asked for. */
interface Derived {
  parsed: Template | undefined;
  fields: ReadonlyMap<string, FieldValue> | undefined;
  json: EventJson | undefined;
}

export class Event implements LogEvent {
  /** Undefined until something is derived, which most lines need not. */
  #known: Derived | undefined;

  constructor(
    readonly level: Level,
    readonly time: number,
    /** A text represents the template of a text without braces, which few formats need. */
    private readonly said: string | Template,
    /** The value of each hole; undefined if there is none. */
    readonly values: readonly (TakenValue | undefined)[],
    readonly scope: Scope,
    private readonly details: EventDetails = NO_DETAILS,
  ) {}

  get parsed(): Template {
    const { said } = this;
    return typeof said === 'string' ? (this.#derived.parsed ??= plainTemplate(said)) : said;
  }

  get holes(): readonly Hole[] {
    const { said } = this;
    return typeof said === 'string' ? NO_HOLES : said.holes;
  }

  /** Whether the template has no holes. */
  get isText(): boolean {
    const { said } = this;
    return typeof said === 'string' || said.isText;
  }

  /** The message before its first hole. */
  get firstText(): string {
    const { said } = this;
    return typeof said === 'string' ? said : said.texts[0]!;
  }

  get extras(): ExtraFields {
    return this.details.extras;
  }

  get error(): string | undefined {
    return this.details.error;
  }

  get errorType(): string | undefined {
    return this.details.errorType;
  }

  get stack(): string | undefined {
    return this.details.stacks?.join(CAUSED_BY);
  }

  /** The parts of `stack`, with {@link CAUSED_BY} between them. */
  get stacks(): readonly string[] | undefined {
    return this.details.stacks;
  }

  get caller(): Caller | undefined {
    return this.details.caller;
  }

  get kind(): EventKind | undefined {
    return this.details.kind;
  }

  get known(): KnownEventFields | undefined {
    return this.details.known;
  }

  /** Whether it has a template and values, and nothing else. */
  get isBare(): boolean {
    return this.details === NO_DETAILS;
  }

  /** Whether it is bare, and its template is a text that is shown unchanged. */
  get isBareText(): boolean {
    const { said } = this;
    return this.details === NO_DETAILS && (typeof said === 'string' || said.isPlainText);
  }

  get template(): string {
    const { said } = this;
    return typeof said === 'string' ? said : said.text;
  }

  get message(): string {
    const { holes, texts } = this.parsed;
    let message = texts[0]!;
    for (let i = 0; i < holes.length; i++) message += this.textOf(holes[i]!, i) + texts[i + 1]!;
    return message;
  }

  get fields(): ReadonlyMap<string, FieldValue> {
    const derived = this.#derived;
    if (derived.fields !== undefined) return derived.fields;
    const fields = new Map<string, FieldValue>();
    for (const [name, value] of this.takenFields) fields.set(name, fieldValue(value));
    return (derived.fields = fields);
  }

  /** The same as they were taken. */
  get takenFields(): ReadonlyMap<string, TakenValue> {
    const { scope, extras, values, holes } = this;
    const fields = new Map<string, TakenValue>(scope.all);
    for (let i = 0; i < extras.names.length; i++) fields.set(extras.names[i]!, extras.values[i]!);
    for (let i = 0; i < holes.length; i++) {
      const value = values[i];
      if (holes[i]!.writesField && value !== undefined) fields.set(holes[i]!.field, value);
    }
    return fields;
  }

  /** The fields whose values are not in the message. */
  get fieldsBesideMessage(): ReadonlyMap<string, FieldValue> {
    const fields = new Map(this.fields);
    for (const { field } of this.holes) fields.delete(field);
    return fields;
  }

  /** The argument that fills a hole; undefined if there is none. */
  argument(field: string): TakenValue | undefined {
    return this.values[this.holes.findIndex((hole) => hole.field === field)];
  }

  /** Whether the template has such a hole, and an argument fills it. */
  hasArgument(field: string): boolean {
    return this.holes.some(
      (hole, i) => hole.field === field && hole.writesField && this.values[i] !== undefined,
    );
  }

  /** Whether a field of the event hides one of the logger's. */
  get hidesScope(): boolean {
    const { scope, values, extras, holes } = this;
    if (!this.isText && this.parsed.meets(scope)) {
      for (let i = 0; i < holes.length; i++) {
        if (scope.has(holes[i]!.field) && values[i] !== undefined) return true;
      }
    }
    const { names } = extras;
    for (let i = 0; i < names.length; i++) if (scope.has(names[i]!)) return true;
    return false;
  }

  /** The value of each hole as JSON; empty if there is none. Created once for all formats. */
  get valuesJson(): readonly string[] {
    return this.#json.values;
  }

  /** The message as it is between the quotes of a JSON string. */
  get messageJson(): string {
    return this.#json.message;
  }

  get #json(): EventJson {
    return (this.#derived.json ??= this.#encode());
  }

  get #derived(): Derived {
    return (this.#known ??= { parsed: undefined, fields: undefined, json: undefined });
  }

  /** Escapes each value once, for its field and for the message. */
  #encode(): EventJson {
    const { values } = this;
    const { holes, textsJson } = this.parsed;
    const json = holes.map(() => '');
    let message = textsJson[0]!;
    for (let i = 0; i < holes.length; i++) {
      const hole = holes[i]!;
      const value = values[i];
      if (value === undefined) {
        message += escapeJson(hole.raw);
      } else if (typeof value === 'string') {
        const escaped = escapeJson(value);
        json[i] = `"${escaped}"`;
        message += hole.isPlain ? escaped : escapeJson(this.textOf(hole, i));
      } else {
        const text = jsonOf(fieldValue(value));
        json[i] = text;
        message +=
          hole.isPlain && typeof value === 'number' && text.charCodeAt(0) !== 34
            ? text
            : escapeJson(this.textOf(hole, i));
      }
      message += textsJson[i + 1]!;
    }
    return { values: json, message };
  }

  /** The text in the message for a hole: that of its value, formatted and then aligned. */
  textOf(hole: Hole, i: number): string {
    const value = this.values[i];
    if (value === undefined) return hole.raw;
    const { format, alignment } = hole;
    const shown = fieldValue(value);
    const text = format?.(shown) ?? plainText(shown);
    if (alignment === 0) return text;
    return alignment > 0 ? text.padStart(alignment) : text.padEnd(-alignment);
  }
}
