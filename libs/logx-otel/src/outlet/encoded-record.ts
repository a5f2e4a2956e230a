import type { Resource } from '@opentelemetry/resources';
import type { WrittenBytes } from '../wire/proto-writer.js';

/** A record that waits as bytes. The batching processor reads only its resource. */
export class EncodedRecord implements WrittenBytes {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;

  constructor(
    { bytes, start, end }: WrittenBytes,
    readonly resource: Resource,
  ) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }
}
