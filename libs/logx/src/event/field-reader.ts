import { type Capture, Template } from '../template/template.js';
import { bareObject } from '../value/bare-object.js';
import type { FieldValue } from '../value/field-value.js';
import { plainText } from '../value/plain-text.js';
import { fieldValue, isList, isNested, type TakenValue } from '../value/taken-value.js';
import { safeText } from '../value/safely.js';
import type { ResolvedLimits } from '../value/value-limits.js';
import { cutText, ValueReader } from '../value/value-reader.js';

/** Hides parts of logged values. */
export interface Redactor {
  /** The value of a field as it is shown; undefined removes the field. */
  field(name: string, value: FieldValue): FieldValue | undefined;
  /** Text that is not a field, such as a template and the stack of an error, as it is shown. */
  text(text: string): string;
}

/** Converts logged values to field values, according to the logger's options. */
export class FieldReader {
  readonly #shown = new WeakMap<Template, Template>();
  readonly #values: ValueReader;

  constructor(
    private readonly limits: ResolvedLimits,
    private readonly redact?: Redactor,
  ) {
    this.#values = new ValueReader(limits);
  }

  /** The value of a field; undefined when redaction removes it. Never throws. */
  read(field: string, value: unknown, capture: Capture = ''): TakenValue | undefined {
    const taken =
      capture === '$' ? cutText(safeText(value), this.limits.text) : this.#values.take(value);
    return this.redact === undefined ? taken : this.redact.field(field, fieldValue(taken));
  }

  /** Whether such fields are kept unchanged, whose texts are counted only where texts are limited. */
  takesAsIs(fields: { readonly textLength: number }): boolean {
    const { text } = this.limits;
    return this.redact === undefined && (text === Infinity || fields.textLength <= text);
  }

  /**
   * The text of a value that is neither a field nor the argument of a template: that of an argument. Its members
   * are hidden like fields. Never throws.
   */
  alone(value: unknown): string {
    if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) {
      return safeText(value);
    }
    return plainText(this.#shownMembers(fieldValue(this.#values.take(value))));
  }

  #shownMembers(value: FieldValue): FieldValue {
    const { redact } = this;
    if (redact === undefined || !isNested(value)) return value;
    if (isList(value)) {
      return value.map((item, i) => redact.field(String(i), fieldValue(item)) ?? null);
    }
    const shown = bareObject<FieldValue>();
    for (const [name, member] of Object.entries(value)) {
      const field = redact.field(name, member);
      if (field !== undefined) shown[name] = field;
    }
    return shown;
  }

  /** A text that is not a field, as it may be shown. */
  text(text: string): string {
    return this.redact === undefined ? text : this.redact.text(text);
  }

  /** Parts of a text that is not a field, as they may be shown; a secret may be in several of them. */
  parts(texts: readonly string[], separator: string): readonly string[] {
    return this.redact === undefined ? texts : [this.redact.text(texts.join(separator))];
  }

  /** A template as it may be shown; it keeps its holes, so that no argument is left over. */
  template(template: Template): Template {
    if (this.redact === undefined) return template;
    // Most texts occur once.
    if (template.isText) return withTexts(template, (text) => this.text(text));
    const known = this.#shown.get(template);
    if (known !== undefined) return known;
    const shown = withTexts(template, (text) => this.text(text));
    this.#shown.set(template, shown);
    return shown;
  }
}

function withTexts(template: Template, shownOf: (text: string) => string): Template {
  const text = shownOf(template.text);
  const texts = template.texts.map((each) => (each === template.text ? text : shownOf(each)));
  const isSame = text === template.text && texts.every((each, i) => each === template.texts[i]);
  return isSame ? template : new Template(text, template.holes, texts);
}
