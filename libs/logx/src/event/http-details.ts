import type { FieldValue } from '../value/field-value.js';
import type { EventDetails } from './event.js';
import type { ExtraFields } from './extras.js';
import type { HttpFields } from './http-fields.js';

/** The details of an event with only such fields; `extras` are created when they are read. */
export class HttpDetails implements EventDetails {
  readonly error = undefined;
  readonly errorType = undefined;
  readonly stack = undefined;
  readonly caller = undefined;
  readonly kind = 'http';
  private made: ExtraFields | undefined;

  constructor(readonly http: HttpFields) {}

  get extras(): ExtraFields {
    return (this.made ??= new Map(
      Object.entries(this.http as Readonly<Record<string, FieldValue | undefined>>).filter(
        (entry): entry is [string, FieldValue] => entry[1] !== undefined,
      ),
    ));
  }
}
