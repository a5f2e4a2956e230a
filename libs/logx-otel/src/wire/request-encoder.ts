import type { Resource } from '@opentelemetry/resources';
import { writeResourceAttribute } from './attribute-writer.js';
import { preparedBytes, varintLength, type WrittenBytes } from './proto-writer.js';

/** Fields of ExportLogsServiceRequest, ResourceLogs, ScopeLogs and InstrumentationScope. */
const RESOURCE_LOGS = 0x0a;
const RESOURCE = 0x0a;
const SCOPE_LOGS = 0x12;
const RESOURCE_SCHEMA_URL = 0x1a;
const SCOPE = 0x0a;
const SCOPE_NAME = 0x0a;

/** Puts records into an ExportLogsServiceRequest; all of them have one resource and one scope. */
export class RequestEncoder {
  readonly #scope: Uint8Array;
  #known: { readonly before: Uint8Array; readonly after: Uint8Array } | undefined;

  constructor(
    private readonly resource: Resource,
    scopeName: string,
  ) {
    this.#scope = preparedBytes((writer) => {
      writer.addByte(SCOPE);
      const begun = writer.open(scopeName.length);
      writer.addByte(SCOPE_NAME);
      writer.addText(scopeName);
      writer.close(begun, scopeName.length);
    });
  }

  encode(records: readonly WrittenBytes[]): Uint8Array {
    const { before, after } = this.#ofResource();
    let length = this.#scope.length;
    for (const { start, end } of records) length += end - start;
    const inner = before.length + 1 + varintLength(length) + length + after.length;
    const head = preparedBytes((writer) => {
      writer.addByte(RESOURCE_LOGS);
      writer.addVarint(inner);
      writer.add(before);
      writer.addByte(SCOPE_LOGS);
      writer.addVarint(length);
      writer.add(this.#scope);
    });
    const request = Buffer.allocUnsafeSlow(1 + varintLength(inner) + inner);
    request.set(head);
    request.set(after, copyAll(records, request, head.length));
    return request;
  }

  /** The bytes before and after the records of a resource, whose attributes may still be pending. */
  #ofResource(): { readonly before: Uint8Array; readonly after: Uint8Array } {
    if (this.#known !== undefined) return this.#known;
    const { attributes, schemaUrl, asyncAttributesPending } = this.resource;
    const before = preparedBytes((writer) => {
      writer.addByte(RESOURCE);
      const begun = writer.open(0);
      for (const [key, value] of Object.entries(attributes)) {
        writeResourceAttribute(writer, key, value);
      }
      writer.close(begun, 0);
    });
    const after = preparedBytes((writer) => {
      if (schemaUrl === undefined || schemaUrl === '') return;
      writer.addByte(RESOURCE_SCHEMA_URL);
      writer.addText(schemaUrl);
    });
    const parts = { before, after };
    if (asyncAttributesPending !== true) this.#known = parts;
    return parts;
  }
}

/**
 * Copies the records; adjacent records of a chunk are copied together.
 *
 * @returns the position after the last one.
 */
function copyAll(records: readonly WrittenBytes[], target: Uint8Array, from: number): number {
  let at = from;
  for (let i = 0; i < records.length;) {
    const { bytes, start, end } = records[i]!;
    let last = end;
    for (i++; i < records.length; i++) {
      const next = records[i]!;
      if (next.bytes !== bytes || next.start !== last) break;
      last = next.end;
    }
    target.set(bytes.subarray(start, last), at);
    at += last - start;
  }
  return at;
}
