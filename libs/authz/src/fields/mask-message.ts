import { shownValue } from '@apix/contracts';
import { create, fromBinary, isMessage, type Message, toBinary } from '@bufbuild/protobuf';
import type { CompiledExpression } from '../cel/cel-scope.js';
import {
  copyOf,
  copyWithout,
  type FieldAccess,
  type FieldValues,
  putIn,
  knownValues,
  fieldValueIn,
} from './field-access.js';
import { ANY } from './holding-types.js';
import type { Masks, TypeMask } from './type-mask.js';

/** For whom messages are masked. */
export interface MaskView {
  readonly masks: Masks;
  /** Whether a condition is true of a message that has a field. Never throws. */
  isMet(condition: CompiledExpression, message: Message): boolean;
}

/**
 * A message without what its mask hides: itself, or a copy along the paths to the hidden values. The message does not
 * change.
 *
 * @param given a message of protobuf-es, its bytes, or an object in its shape, also for other libraries.
 * @throws Error for what cannot be looked into: a message of another type, an Any of a type that is not known.
 */
export function maskMessage(mask: TypeMask, given: object, view: MaskView): object {
  const { $typeName: typeName } = given as { readonly $typeName?: unknown };
  if (typeName === mask.desc.typeName) return maskTyped(mask, given as FieldValues, view);
  if (typeName !== undefined) {
    throw new Error(
      `authz: an answer is ${shownValue(typeName)} where a ${mask.desc.typeName} is expected`,
    );
  }
  return given instanceof Uint8Array
    ? maskBytes(mask, given, view)
    : maskShape(mask, given as FieldValues, view);
}

function maskTyped(mask: TypeMask, given: FieldValues, view: MaskView): FieldValues {
  if (mask.desc.typeName === ANY) return maskAny(given, view);
  const { hidden, holding } = mask;
  let shown = given;
  for (let i = 0; i < hidden.length; i++) {
    const { fields, shownIf } = hidden[i]!;
    if (!isAnySet(given, fields)) continue;
    if (shownIf !== undefined && view.isMet(shownIf, given as unknown as Message)) continue;
    shown = copyWithout(shown, fields);
  }
  for (let i = 0; i < holding.length; i++) {
    const field = holding[i]!;
    const value = fieldValueIn(shown, field);
    if (value === undefined) continue;
    const masked = maskValue(field, field.mask, value, view);
    if (masked === value) continue;
    if (shown === given) shown = copyOf(given);
    putIn(shown, field, masked);
  }
  return given['$unknown'] === undefined ? shown : withoutUnknown(mask, given, shown);
}

function isAnySet(message: FieldValues, fields: readonly FieldAccess[]): boolean {
  for (let i = 0; i < fields.length; i++) {
    if (fieldValueIn(message, fields[i]!) !== undefined) return true;
  }
  return false;
}

/** Fields that the code that read a message did not know, and the descriptors do, are not looked into. */
function withoutUnknown(
  { hidden, holding }: TypeMask,
  given: FieldValues,
  shown: FieldValues,
): FieldValues {
  const unknown = given['$unknown'] as readonly { readonly no: number }[];
  const isHidden = ({ no }: { readonly no: number }): boolean =>
    hidden.some(({ fields }) => fields.some(({ number }) => number === no)) ||
    holding.some(({ number }) => number === no);
  if (!unknown.some(isHidden)) return shown;
  const copy = shown === given ? copyOf(given) : shown;
  copy['$unknown'] = unknown.filter((each) => !isHidden(each));
  return copy;
}

function maskValue(
  { isList, isMap }: FieldAccess,
  mask: TypeMask,
  value: unknown,
  view: MaskView,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isList) return maskList(mask, value, view);
  return isMap ? maskMap(mask, value, view) : maskMessage(mask, value, view);
}

function maskList(mask: TypeMask, list: object, view: MaskView): unknown {
  if (!Array.isArray(list))
    throw new Error(`authz: a list of ${mask.desc.typeName} is not an array`);
  let shown: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const item: unknown = list[i];
    if (typeof item !== 'object' || item === null) continue;
    const masked = maskMessage(mask, item, view);
    if (masked === item) continue;
    shown ??= Array.from<unknown>(list);
    shown[i] = masked;
  }
  return shown ?? list;
}

function maskMap(mask: TypeMask, map: object, view: MaskView): object {
  if (map instanceof Map) throw new Error(`authz: a map of ${mask.desc.typeName} is not an object`);
  let shown: [string, unknown][] | undefined;
  for (const [i, [key, item]] of Object.entries<unknown>(map as FieldValues).entries()) {
    if (typeof item !== 'object' || item === null) continue;
    const masked = maskMessage(mask, item, view);
    if (masked === item) continue;
    shown ??= Object.entries<unknown>(map as FieldValues);
    shown[i] = [key, masked];
  }
  // Not by assignment, which would take the key `__proto__` for the prototype.
  return shown === undefined ? map : Object.fromEntries(shown);
}

function maskBytes(mask: TypeMask, bytes: Uint8Array, view: MaskView): Uint8Array {
  const message = fromBinary(mask.desc, bytes);
  const shown = maskMessage(mask, message, view);
  return shown === message ? bytes : Buffer.from(toBinary(mask.desc, shown as Message));
}

/** An Any of protobuf-es or of another library. */
function maskAny(any: FieldValues, view: MaskView): FieldValues {
  const url = any['typeUrl'] ?? any['type_url'];
  const { value } = any;
  if (typeof url !== 'string') return any;
  if (url === '' && !(value instanceof Uint8Array && value.length > 0)) return any;
  const typeName = url.slice(url.lastIndexOf('/') + 1);
  const mask = view.masks.ofName(typeName);
  if (mask === undefined) return any;
  if (mask === null) {
    throw new Error(
      `authz: an answer has an Any of the type ${typeName}, which the descriptors do not know, so that its fields cannot be hidden`,
    );
  }
  if (!(value instanceof Uint8Array)) {
    throw new Error(`authz: an answer has an Any of the type ${typeName} without bytes`);
  }
  const shown = maskBytes(mask, value, view);
  if (shown === value) return any;
  const copy = copyOf(any);
  copy['value'] = shown;
  return copy;
}

/** An object in the shape of a message, such as a handler's answer that is not made with `create`. */
function maskShape(
  { desc, hidden, holding }: TypeMask,
  given: FieldValues,
  view: MaskView,
): FieldValues {
  if (Array.isArray(given)) return given;
  const shape = knownValues(desc, given);
  if (desc.typeName === ANY) {
    const shown = maskAny(shape, view);
    return shown === shape ? given : shown;
  }
  // What has none of the members is not in the shape, and is reported by what writes it.
  if (Object.keys(shape).length === 0) return given;
  const whole = { ...shape };
  for (const { fields, shownIf } of hidden) {
    const isMet = shownIf !== undefined && isMetBy(shownIf, desc, whole, view);
    if (!isMet) for (const field of fields) dropFrom(shape, field);
  }
  for (const field of holding) maskIn(shape, field, field.mask, view);
  return shape;
}

/** A condition reads messages of protobuf-es; the object is one if it has the names of one. */
function isMetBy(
  condition: CompiledExpression,
  desc: TypeMask['desc'],
  shape: FieldValues,
  view: MaskView,
): boolean {
  const isOurs = Object.keys(shape).every((name) =>
    desc.members.some(({ localName }) => localName === name),
  );
  if (!isOurs) return false;
  try {
    const message = create(desc, shape);
    return isMessage(message, desc) && view.isMet(condition, message);
  } catch {
    return false;
  }
}

function dropFrom(shape: FieldValues, { names, oneof, name }: FieldAccess): void {
  for (const each of names) delete shape[each];
  const chosen = oneof === undefined ? undefined : Object(shape[oneof]);
  if (oneof !== undefined && (chosen as FieldValues)['case'] === name) {
    shape[oneof] = { case: undefined };
  }
}

function maskIn(shape: FieldValues, field: FieldAccess, mask: TypeMask, view: MaskView): void {
  for (const name of field.names) {
    if (shape[name] !== undefined) shape[name] = maskValue(field, mask, shape[name], view);
  }
  if (field.oneof === undefined) return;
  const chosen = Object(shape[field.oneof]) as FieldValues;
  if (chosen['case'] !== field.name) return;
  shape[field.oneof] = {
    case: field.name,
    value: maskValue(field, mask, chosen['value'], view),
  };
}
