import type { StatusDetail } from '@apix/contracts';
import { eachField, lengthDelimited } from './wire.js';

/** One entry of google.rpc.BadRequest (google/rpc/error_details.proto). */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
  readonly reason: string;
}

/**
 * Reads a binary google.rpc.BadRequest; undefined if the bytes are not one. Written by hand, because this
 * package has no protobuf runtime: field_violations = 1, and in them field = 1, description = 2, reason =
 * 3; unknown fields are skipped.
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

function utf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
