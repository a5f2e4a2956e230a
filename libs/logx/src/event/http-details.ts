import type { FieldValue } from '../value/field-value.js';
import type { EventDetails } from './event.js';
import { ExtraFields } from './extra-fields.js';
import type { HttpFields } from './http-fields.js';

/** The details of an event with only such fields; `extras` are created when they are read. */
export class HttpDetails implements EventDetails {
  readonly error = undefined;
  readonly errorType = undefined;
  readonly stacks = undefined;
  readonly caller = undefined;
  readonly kind = 'http';
  private made: ExtraFields | undefined;

  constructor(readonly http: HttpFields) {}

  get extras(): ExtraFields {
    return (this.made ??= extrasOf(this.http as Readonly<Record<string, FieldValue | undefined>>));
  }
}

function extrasOf(http: Readonly<Record<string, FieldValue | undefined>>): ExtraFields {
  const entries = Object.entries(http).filter(
    (entry): entry is [string, FieldValue] => entry[1] !== undefined,
  );
  return new ExtraFields(
    entries.map(([name]) => name),
    entries.map(([, value]) => value),
  );
}
