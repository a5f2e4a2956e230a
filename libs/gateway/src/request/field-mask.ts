import { type DescMessage, type Message, create } from '@bufbuild/protobuf';
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt';
import type { Binding } from '../rules/binding.js';
import { assignField, readField, rivalOf } from './assign.js';
import { fieldNamed, isOpen } from './field-path.js';

/**
 * Fills in the field mask of a PATCH whose caller gave none, with the paths of the fields that
 * are in its body (AIP-134: "if the mask is omitted, an implied field mask equivalent to all
 * fields that are populated"). Paths are relative to the body's field, in proto names. A member
 * set to null is in the mask, so that a PATCH can clear it.
 */
export function fillFieldMask(binding: Binding, body: Uint8Array, message: Message): void {
  const { maskField, body: rule } = binding;
  if (maskField === undefined || rule.kind !== 'field' || rule.field.message === undefined) return;
  if (body.length === 0 || readField(message, maskField) !== undefined) return;
  // A mask that nobody gave must not drop what somebody has set.
  if (rivalOf(message, maskField) !== undefined) return;
  // It was read as this message's JSON before, so that it is sound.
  const json: unknown = JSON.parse(Buffer.from(body).toString());
  const paths = [...pathsIn(rule.field.message, json, '')];
  assignField(message, maskField, create(FieldMaskSchema, { paths }));
}

function* pathsIn(desc: DescMessage, json: unknown, prefix: string): Iterable<string> {
  if (typeof json !== 'object' || json === null) return;
  for (const [name, value] of Object.entries(json)) {
    const field = fieldNamed(desc, name);
    if (field === undefined) continue;
    const path = prefix + field.name;
    const inner = isOpen(field) ? [...pathsIn(field.message, value, `${path}.`)] : [];
    if (inner.length > 0) yield* inner;
    else yield path;
  }
}
