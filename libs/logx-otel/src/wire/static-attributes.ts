import type { LogEvent } from '@apix/logx/core';
import { fieldOfAttribute } from '../record/attributes.js';
import { writeAttribute } from './attribute-writer.js';
import { preparedBytes, type ProtoWriter } from './proto-writer.js';

interface StaticAttribute {
  readonly bytes: Uint8Array;
  readonly key: string;
  /** The field that overrides it. */
  readonly field: string | undefined;
}

/** Attributes of every record that has no field and no attribute of the logger with the same name. */
export class StaticAttributes {
  readonly #all: readonly StaticAttribute[];
  readonly #fields: ReadonlySet<string | undefined>;

  constructor(attributes: Readonly<Record<string, string>>) {
    this.#all = Object.entries(attributes).map(([key, value]) => ({
      bytes: preparedBytes((writer) => writeAttribute(writer, key, value)),
      key,
      field: fieldOfAttribute(key),
    }));
    this.#fields = new Set(this.#all.map(({ field }) => field));
  }

  /** Whether a field with this name overrides one of the attributes. */
  canBeHiddenBy(field: string): boolean {
    return this.#all.length > 0 && this.#fields.has(field);
  }

  /** @param isHiding returns whether the event has the field and the field is written as an attribute. */
  write(writer: ProtoWriter, event: LogEvent, isHiding: (field: string) => boolean): void {
    for (const { bytes, key, field } of this.#all) {
      const isHidden = field === undefined ? isWritten(event, key) : isHiding(field);
      if (!isHidden) writer.add(bytes);
    }
  }
}

/** Whether the logger itself writes the attribute. */
function isWritten({ error, stack, caller }: LogEvent, key: string): boolean {
  switch (key) {
    case 'exception.message':
      return error !== undefined;
    case 'exception.stacktrace':
      return stack !== undefined;
    case 'code.filepath':
    case 'code.lineno':
      return caller !== undefined;
    case '':
      return false;
    default:
      return true;
  }
}
