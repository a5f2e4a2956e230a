import type { EventDetails, EventKind, EventShape, KnownEventFields, KnownValue } from './event.js';
import { ExtraFields } from './extra-fields.js';

/** The fields of an event of a known shape: all details of one that has no others. */
export class KnownFields implements EventDetails, KnownEventFields {
  readonly error = undefined;
  readonly errorType = undefined;
  readonly stacks = undefined;
  readonly caller = undefined;
  readonly kind: EventKind;
  private made: ExtraFields | undefined;

  constructor(
    readonly shape: EventShape,
    readonly values: readonly KnownValue[],
  ) {
    this.kind = shape.kind;
  }

  get known(): this {
    return this;
  }

  /** Created when they are read: formats that know the shape write the values themselves. */
  get extras(): ExtraFields {
    return (this.made ??= extrasOf(this));
  }

  /** The upper bound of the length of all texts together, in characters. */
  get textLength(): number {
    const { shape, values } = this;
    let length = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (typeof value === 'string' && shape.fields[i]![1] === 'text') length += value.length;
    }
    return length;
  }

  /** An object with these members after others, which they replace. */
  after(others: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> {
    const { shape, values } = this;
    const all: Record<string, unknown> = Object.assign({}, others);
    for (let i = 0; i < values.length; i++) all[shape.fields[i]![0]] = values[i];
    return all;
  }
}

function extrasOf({ shape, values }: KnownEventFields): ExtraFields {
  const names = shape.fields.map(([name]) => name);
  return new ExtraFields(
    names.filter((_, i) => values[i] !== undefined),
    values.filter((value) => value !== undefined),
  );
}
