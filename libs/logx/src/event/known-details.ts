import type { FieldValue } from '../value/field-value.js';
import type { EventDetails, EventKind } from './event.js';
import { ExtraFields } from './extra-fields.js';
import type { KnownFields } from './known-fields.js';

/** The details of an event with only such fields; `extras` are created when they are read. */
export class KnownDetails implements EventDetails {
  readonly error = undefined;
  readonly errorType = undefined;
  readonly stacks = undefined;
  readonly caller = undefined;
  private made: ExtraFields | undefined;

  constructor(
    readonly known: KnownFields,
    readonly kind: EventKind | undefined,
  ) {}

  get extras(): ExtraFields {
    return (this.made ??= extrasOf(this.known));
  }
}

function extrasOf(fields: KnownFields): ExtraFields {
  const all = fields.shape.fields.map(([name]) => name);
  const names = all.filter((name) => fields[name] !== undefined);
  return new ExtraFields(
    names,
    names.map((name) => fields[name] as FieldValue),
  );
}
