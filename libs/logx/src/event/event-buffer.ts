import { isList, TakenMembers, type TakenValue } from '../value/taken-value.js';
import type { Event } from './event.js';

/** The objects of an event without values. */
const EVENT_BYTES = 240;
/** A value, or a member of an object or an array. */
const VALUE_BYTES = 24;
/** Of a character; one where all are Latin-1. */
const CHARACTER_BYTES = 2;

/** How much of a piece of work is kept. */
export interface BufferBounds {
  readonly events: number;
  readonly bytes: number;
}

/** Writes events that were kept. */
export interface KeptEventWriter {
  dispatch(event: Event): void;
  /** Reports that events of the work were dropped: the earliest, and those that are too large. */
  reportDropped(count: number, bounds: BufferBounds): void;
}

interface Kept {
  readonly event: Event;
  readonly writer: KeptEventWriter;
  readonly bytes: number;
}

/** The last events of a piece of work that are below the level, until it is known how the work ends. */
// Why: docs/decisions/0422
export class EventBuffer {
  #kept: Kept[] = [];
  #bytes = 0;
  #dropped = 0;
  /** Of the last event. */
  #writer: KeptEventWriter | undefined;

  constructor(private readonly bounds: BufferBounds) {}

  add(event: Event, writer: KeptEventWriter): void {
    const bytes = retainedBytes(event);
    this.#writer = writer;
    // It must not take the place of all others.
    if (bytes > this.bounds.bytes) {
      this.#dropped++;
      return;
    }
    this.#kept.push({ event, writer, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > this.bounds.events || this.#bytes > this.bounds.bytes) {
      this.#bytes -= this.#kept.shift()!.bytes;
      this.#dropped++;
    }
  }

  /** Writes them in their order; later ones are kept again. */
  flush(): void {
    const kept = this.#kept;
    const dropped = this.#dropped;
    this.#kept = [];
    this.#bytes = this.#dropped = 0;
    if (dropped > 0) this.#writer?.reportDropped(dropped, this.bounds);
    for (const { event, writer } of kept) writer.dispatch(event);
  }
}

/**
 * The memory that an event keeps alive, roughly and never too little: texts with two bytes for a character.
 * Templates and the fields of the logger are shared by many events, and not counted.
 */
function retainedBytes(event: Event): number {
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
