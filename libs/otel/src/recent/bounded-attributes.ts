import { cutText } from '@apix/contracts';
import type { Attributes, AttributeValue } from '@opentelemetry/api';

const MOST_ATTRIBUTES = 32;
const MOST_KEY = 100;
const MOST_VALUE = 1_000;
/** Of all keys and values of a span together. */
const MOST_SIZE = 4_000;
/** Of a number or a boolean. */
const SCALAR_SIZE = 8;

export interface BoundedAttributes {
  readonly attributes: Attributes;
  /** In UTF-16 units. */
  readonly size: number;
}

/** The attributes as they are where they are few and short, which they nearly always are; else as much as fits. */
export function boundedAttributes(attributes: Attributes): BoundedAttributes {
  let count = 0;
  let size = 0;
  for (const key in attributes) {
    count += 1;
    const valueSize = sizeOf(attributes[key]);
    size += key.length + valueSize;
    if (count > MOST_ATTRIBUTES || key.length > MOST_KEY || valueSize > MOST_VALUE) {
      return cut(attributes);
    }
  }
  return size > MOST_SIZE ? cut(attributes) : { attributes, size };
}

/** A value for people. */
export function shownAttribute(value: AttributeValue | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function cut(attributes: Attributes): BoundedAttributes {
  const kept: [string, string][] = [];
  let size = 0;
  for (const key in attributes) {
    if (kept.length === MOST_ATTRIBUTES || size >= MOST_SIZE) break;
    const name = cutText(key, MOST_KEY);
    const text = cutText(shortText(attributes[key]), Math.min(MOST_VALUE, MOST_SIZE - size));
    kept.push([name, text]);
    size += name.length + text.length;
  }
  // A key may be `__proto__`.
  return { attributes: Object.fromEntries(kept), size };
}

/** Does not write out a list of which most would be cut off. */
function shortText(value: AttributeValue | undefined): string {
  if (!Array.isArray(value) || sizeOf(value) <= MOST_VALUE) return shownAttribute(value);
  let size = 0;
  const end = value.findIndex((item) => (size += sizeOf(item ?? undefined)) > MOST_VALUE);
  const shown = value.slice(0, end);
  const last = value[end];
  if (typeof last === 'string') shown.push(cutText(last, MOST_VALUE) as never);
  return `${JSON.stringify(shown)}…`;
}

function sizeOf(value: AttributeValue | undefined): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return SCALAR_SIZE;
  let size = 0;
  for (const item of value) {
    size += SCALAR_SIZE + (typeof item === 'string' ? item.length : 0);
    if (size > MOST_VALUE) break;
  }
  return size;
}
