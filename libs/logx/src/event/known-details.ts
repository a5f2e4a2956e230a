import type { EventDetails, EventKind } from './event.js';
import { ExtraFields } from './extra-fields.js';
import type { EventShape, KnownValue } from './known-fields.js';

/** The details of an event with only known fields; `extras` are created when they are read. */
export class KnownDetails implements EventDetails {
  readonly error = undefined;
  readonly errorType = undefined;
  readonly stacks = undefined;
  readonly caller = undefined;
  private made: ExtraFields | undefined;

  constructor(
    readonly shape: EventShape,
    readonly values: readonly KnownValue[],
    readonly kind: EventKind | undefined,
  ) {}

  get known(): this {
    return this;
  }

  get extras(): ExtraFields {
    return (this.made ??= extrasOf(this));
  }
}

function extrasOf({ shape, values }: Pick<KnownDetails, 'shape' | 'values'>): ExtraFields {
  const names = shape.fields.map(([name]) => name);
  return new ExtraFields(
    names.filter((_, i) => values[i] !== undefined),
    values.filter((value) => value !== undefined),
  );
}
