import { isList, TakenMembers, type TakenValue } from '../value/taken-value.js';
import type { Event } from './event.js';

/** The objects of an event without values. */
const EVENT_BYTES = 240;
/** A value, or a member of an object or an array. */
const VALUE_BYTES = 24;
/** Of a character; one where all are Latin-1. */
const CHARACTER_BYTES = 2;

/**
 * The memory that an event keeps alive, roughly and never too little: texts with two bytes for a character.
 * Templates and the fields of the logger are shared by many events, and not counted.
 */
export function retainedBytes(event: Event): number {
  let bytes = EVENT_BYTES;
  const { values, extras, error, stacks } = event;
  for (let i = 0; i < values.length; i++) bytes += bytesOf(values[i]);
  for (let i = 0; i < extras.values.length; i++) {
    bytes += bytesOf(extras.names[i]) + bytesOf(extras.values[i]);
  }
  // A text that is said once is the template itself.
  if (values.length === 0) bytes += event.firstText.length * CHARACTER_BYTES;
  if (error !== undefined) bytes += error.length * CHARACTER_BYTES;
  if (stacks !== undefined) for (const stack of stacks) bytes += bytesOf(stack);
  return bytes;
}

function bytesOf(value: TakenValue | undefined): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length * CHARACTER_BYTES;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  if (value instanceof TakenMembers) return listBytes(value.names) + listBytes(value.values);
  if (isList(value)) return listBytes(value);
  if (value instanceof Uint8Array) return VALUE_BYTES + value.byteLength;
  let bytes = VALUE_BYTES;
  for (const name of Object.keys(value)) {
    bytes += bytesOf(name) + bytesOf((value as Readonly<Record<string, TakenValue>>)[name]);
  }
  return bytes;
}

function listBytes(values: readonly TakenValue[]): number {
  let bytes = VALUE_BYTES;
  for (let i = 0; i < values.length; i++) bytes += bytesOf(values[i]);
  return bytes;
}
