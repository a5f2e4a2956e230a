import type { StatusDetail } from './status-error.js';
import { LENGTH_DELIMITED, lengthDelimited } from './wire.js';

/** One entry of google.rpc.BadRequest (google/rpc/error_details.proto). */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
  readonly reason: string;
}

/**
 * Reads a binary google.rpc.BadRequest; undefined when the bytes are none. By hand, because this
 * package has no protobuf runtime: field_violations = 1, and in them field = 1, description = 2,
 * reason = 3; unknown fields are skipped.
 */
export function decodeBadRequest(bytes: Uint8Array): readonly FieldViolation[] | undefined {
  const violations: FieldViolation[] = [];
  const sound = eachField(bytes, (number, value) => {
    if (number !== 1) return true;
    const texts = new Map<number, string>();
    const sound = eachField(value, (inner, text) => texts.set(inner, utf8(text)) === texts);
    if (!sound) return false;
    violations.push({
      field: texts.get(1) ?? '',
      description: texts.get(2) ?? '',
      reason: texts.get(3) ?? '',
    });
    return true;
  });
  return sound ? violations : undefined;
}

/** A google.rpc.BadRequest as a status detail. */
export function encodeBadRequest(violations: readonly FieldViolation[]): StatusDetail {
  return {
    typeUrl: 'type.googleapis.com/google.rpc.BadRequest',
    value: Buffer.concat(
      violations.map(({ field, description, reason }) =>
        lengthDelimited(1, Buffer.concat([text(1, field), text(2, description), text(3, reason)])),
      ),
    ),
  };
}

function text(number: number, value: string): Uint8Array {
  return value === '' ? new Uint8Array() : lengthDelimited(number, Buffer.from(value));
}

/** Visits the length-delimited fields of a message; false when it is malformed or `visit` says so. */
function eachField(
  bytes: Uint8Array,
  visit: (number: number, value: Uint8Array) => boolean,
): boolean {
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const tag = varint(reader);
    const size = tag === undefined ? undefined : sizeOf(tag & 7, reader);
    if (tag === undefined || size === undefined || reader.at + size > bytes.length) return false;
    const value = bytes.subarray(reader.at, reader.at + size);
    reader.at += size;
    if ((tag & 7) === LENGTH_DELIMITED && !visit(tag >>> 3, value)) return false;
  }
  return true;
}

interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

/** Bytes that the field's value takes; a varint's are already read. */
function sizeOf(wireType: number, reader: Reader): number | undefined {
  switch (wireType) {
    case 0:
      return varint(reader) === undefined ? undefined : 0;
    case 1:
      return 8;
    case LENGTH_DELIMITED:
      return varint(reader);
    case 5:
      return 4;
    default:
      return undefined;
  }
}

/** A varint's low 32 bits; undefined when it runs past the end or past ten bytes. */
function varint(reader: Reader): number | undefined {
  let value = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = reader.bytes[reader.at++];
    if (byte === undefined) return undefined;
    if (shift < 32) value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
  return undefined;
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
