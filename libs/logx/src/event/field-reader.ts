import type { Capture } from '../template/template.js';
import { cutText } from '../value/cut-text.js';
import type { FieldValue } from '../value/field-value.js';
import { fieldValueOf } from '../value/field-value-of.js';
import { safeText } from '../value/safely.js';
import type { ResolvedLimits } from '../value/value-limits.js';

/** Hides parts of a value; undefined removes the field. */
export type Redactor = (field: string, value: FieldValue) => FieldValue | undefined;

/** Takes what is logged and makes field values of it, as the logger's options say. */
export class FieldReader {
  constructor(
    private readonly limits: ResolvedLimits,
    private readonly redact?: Redactor,
  ) {}

  /** The value of a field; undefined when redaction removes it. Never throws. */
  read(field: string, value: unknown, capture: Capture = ''): FieldValue | undefined {
    const taken =
      capture === '$'
        ? cutText(safeText(value), this.limits.text)
        : fieldValueOf(value, this.limits);
    return this.redact === undefined ? taken : this.redact(field, taken);
  }
}
