import { type DescEnum, type DescField, ScalarType } from '@bufbuild/protobuf';
import type { ReflectMessage } from '@bufbuild/protobuf/reflect';
import { type LoaderMember, loaderMembers } from './loader-names.js';
import type { LoaderForm } from './loader-options.js';

/** A message as the object that proto-loader makes of it. */
export function objectOf(message: ReflectMessage, form: LoaderForm): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const member of loaderMembers(message.desc, form)) {
    const value = valueIn(message, member, form);
    if (value === undefined) continue;
    const { name, oneof } = member;
    object[name] = value;
    if (form.oneofs && oneof !== undefined) object[oneof] = name;
  }
  return object;
}

/** Undefined: the object does not have this member. */
function valueIn(
  message: ReflectMessage,
  { field, oneof }: LoaderMember,
  form: LoaderForm,
): unknown {
  const { defaults, arrays, objects } = form;
  if (field.fieldKind === 'list') {
    const list = [...message.get(field)];
    if (list.length === 0 && !arrays && !defaults) return undefined;
    return list.map((item) => valueOf(field, item, form));
  }
  if (field.fieldKind === 'map') {
    const entries = [...message.get(field)];
    if (entries.length === 0 && !objects && !defaults) return undefined;
    return Object.fromEntries(
      entries.map(([key, value]) => [String(key), valueOf(field, value, form)]),
    );
  }
  if (message.isSet(field)) return valueOf(field, message.get(field), form);
  if (!defaults || oneof !== undefined) return undefined;
  return field.fieldKind === 'message' ? null : valueOf(field, message.get(field), form);
}

function valueOf(field: DescField, value: unknown, form: LoaderForm): unknown {
  if (field.message !== undefined) return objectOf(value as ReflectMessage, form);
  if (field.enum !== undefined) return enumValue(field.enum, value as number, form);
  if (typeof value === 'bigint') return form.longs === undefined ? value : form.longs(value);
  return field.scalar === ScalarType.BYTES ? bytesValue(value as Uint8Array, form) : value;
}

/** A number that the enum does not have stays one. */
function enumValue(desc: DescEnum, value: number, { enums }: LoaderForm): number | string {
  return enums === undefined ? value : (desc.value[value]?.name ?? value);
}

function bytesValue(bytes: Uint8Array, { bytes: as }: LoaderForm): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (as === undefined) return buffer;
  return as === Array ? [...buffer] : buffer.toString('base64');
}
