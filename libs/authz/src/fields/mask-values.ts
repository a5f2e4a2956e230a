import { types } from 'node:util';
import { copyOf, type FieldValues } from './field-access.js';
import type { FieldCaller, VisibleFields } from './visible-fields.js';

/**
 * What a handler returned as a caller sees it: messages of the descriptors, and those in lists, plain objects, maps and
 * objects of an app's classes, as JSON shows them. Itself, or a copy along the paths to what is hidden.
 */
export function maskValues(fields: VisibleFields, value: unknown, caller: FieldCaller): unknown {
  const walk = new ValueWalk(fields, caller);
  const shown = walk.shown(value);
  // In a copy, what leads back would lead to the original, with all of its fields.
  if (shown !== value && walk.hasCircle) {
    throw new Error(
      'authz: an answer that holds itself has fields that are hidden, and cannot be copied',
    );
  }
  return shown;
}

class ValueWalk {
  /** Those that are being walked: a value that holds itself is not walked for ever. */
  readonly #open = new Set<object>();
  #hasCircle = false;

  constructor(
    private readonly fields: VisibleFields,
    private readonly caller: FieldCaller,
  ) {}

  /** Whether something that was walked holds itself. */
  get hasCircle(): boolean {
    return this.#hasCircle;
  }

  shown(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || isOpaque(value)) return value;
    if (typeof (value as FieldValues)['$typeName'] === 'string') {
      return this.fields.shownMessage(value, this.caller);
    }
    if (this.#open.has(value)) {
      this.#hasCircle = true;
      return value;
    }
    this.#open.add(value);
    try {
      return this.#walk(value);
    } finally {
      this.#open.delete(value);
    }
  }

  #walk(value: object): unknown {
    const { toJSON } = value as { readonly toJSON?: unknown };
    if (typeof toJSON === 'function') {
      const json: unknown = Reflect.apply(toJSON, value, ['']);
      const shown = this.shown(json);
      return shown === json ? value : shown;
    }
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Map) {
      const entries = [...(value as Map<unknown, unknown>)];
      const shown = entries.map(([key, each]) => [key, this.shown(each)] as const);
      return shown.some(([, each], i) => each !== entries[i]![1]) ? new Map(shown) : value;
    }
    if (value instanceof Set) {
      const items = [...(value as Set<unknown>)];
      const shown = this.#list(items);
      return shown === items ? value : new Set(shown);
    }
    return this.#object(value as FieldValues);
  }

  #list(list: readonly unknown[]): readonly unknown[] {
    const shown = list.map((each) => this.shown(each));
    return shown.some((each, i) => each !== list[i]) ? shown : list;
  }

  #object(object: FieldValues): FieldValues {
    let shown = object;
    for (const [key, each] of Object.entries(object)) {
      const masked = this.shown(each);
      if (masked === each) continue;
      if (shown === object) shown = copyOf(object);
      Object.defineProperty(shown, key, {
        value: masked,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return shown;
  }
}

/** Values whose content is not made of members: bytes, dates, errors, streams, what a framework unpacks itself. */
function isOpaque(value: object): boolean {
  if (ArrayBuffer.isView(value) || types.isDate(value) || types.isPromise(value)) return true;
  const { pipe, getStream } = value as { readonly pipe?: unknown; readonly getStream?: unknown };
  return typeof pipe === 'function' || typeof getStream === 'function';
}
