import { types } from 'node:util';
import { shownValue, type Mistakes } from '@apix/contracts';
import { isPlainObject } from '@apix/contracts/internal';
import {
  create,
  createFileRegistry,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  file_google_protobuf_timestamp,
  OneofDescriptorProtoSchema,
  FileDescriptorProtoSchema,
  timestampFromDate,
} from '@bufbuild/protobuf/wkt';

const SCALARS = {
  string: FieldDescriptorProto_Type.STRING,
  bool: FieldDescriptorProto_Type.BOOL,
  int: FieldDescriptorProto_Type.INT64,
  double: FieldDescriptorProto_Type.DOUBLE,
  bytes: FieldDescriptorProto_Type.BYTES,
} as const;
const TIMESTAMP = 'timestamp';
const KINDS: readonly string[] = [...Object.keys(SCALARS), TIMESTAMP];

/**
 * The type of a value that a handler gets: a text, an integer (a number or a bigint), a Date, …; a list of one type, or
 * an object.
 */
export type ShapeType =
  keyof typeof SCALARS | typeof TIMESTAMP | readonly [ShapeType] | RequestShape;

/** An object of the app, by the names of its members; `'note?'` is a member that may be missing or null. */
export interface RequestShape {
  readonly [name: string]: ShapeType;
}

const NAME = /^[A-Za-z_]\w*$/;
const TYPE_NAME = /^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*$/;
const DEEPEST = 20;

/** The message whose fields are the members of a shape; undefined if the shape is wrong. */
export function shapeMessage(
  typeName: string,
  shape: unknown,
  where: string,
  mistakes: Mistakes,
): DescMessage | undefined {
  const before = mistakes.found.length;
  if (!TYPE_NAME.test(typeName)) {
    mistakes.add(where, `${shownValue(typeName)} is not the name of a type, such as shop.Order`);
  }
  const dot = typeName.lastIndexOf('.');
  const place = { where, path: typeName, depth: 0 };
  const message = messageOf(typeName.slice(dot + 1), shape, place, mistakes);
  if (mistakes.found.length > before) return undefined;
  const file = create(FileDescriptorProtoSchema, {
    name: typeName,
    package: typeName.slice(0, Math.max(0, dot)),
    syntax: 'proto3',
    dependency: [file_google_protobuf_timestamp.proto.name],
    messageType: [message],
  });
  return createFileRegistry(file, () => file_google_protobuf_timestamp).getMessage(typeName);
}

interface ShapePlace {
  readonly where: string;
  readonly path: string;
  readonly depth: number;
}

function messageOf(
  name: string,
  shape: unknown,
  { where, path, depth }: ShapePlace,
  mistakes: Mistakes,
): DescriptorProto {
  const message = create(DescriptorProtoSchema, { name });
  if (!isPlainObject(shape) || depth > DEEPEST) {
    mistakes.add(where, `${path} must be an object that has the type of each member`);
    return message;
  }
  for (const [key, type] of Object.entries(shape)) {
    const isOptional = key.endsWith('?');
    const member = isOptional ? key.slice(0, -1) : key;
    const at = { where, path: `${path}.${member}`, depth: depth + 1 };
    const number = message.field.length + 1;
    if (!NAME.test(member) || message.field.some((field) => field.name === member)) {
      mistakes.add(where, `${path}: ${shownValue(key)} cannot be the name of another member`);
      continue;
    }
    const isList = Array.isArray(type);
    if (isList && (type.length !== 1 || Array.isArray(type[0]))) {
      mistakes.add(where, `${at.path} must be an array of one type, such as ['string']`);
      continue;
    }
    const field = fieldOf(member, isList ? (type[0] as unknown) : type, message, at, mistakes);
    field.number = number;
    if (isList) field.label = FieldDescriptorProto_Label.REPEATED;
    else if (isOptional) optional(field, message);
    message.field.push(field);
  }
  return message;
}

function fieldOf(
  name: string,
  type: unknown,
  parent: DescriptorProto,
  at: ShapePlace,
  mistakes: Mistakes,
): FieldDescriptorProto {
  const label = FieldDescriptorProto_Label.OPTIONAL;
  if (typeof type === 'string') {
    if (!KINDS.includes(type)) {
      const list = KINDS.map((kind) => shownValue(kind)).join(', ');
      mistakes.add(at.where, `${at.path} must be one of ${list}, not ${shownValue(type)}`);
    }
    if (type !== TIMESTAMP) {
      const scalar = SCALARS[type as keyof typeof SCALARS];
      return create(FieldDescriptorProtoSchema, { name, label, type: scalar });
    }
  } else parent.nestedType.push(messageOf(name, type, at, mistakes));
  const typeName = type === TIMESTAMP ? '.google.protobuf.Timestamp' : `.${at.path}`;
  return create(FieldDescriptorProtoSchema, {
    name,
    label,
    type: FieldDescriptorProto_Type.MESSAGE,
    typeName,
  });
}

function optional(field: FieldDescriptorProto, message: DescriptorProto): void {
  field.proto3Optional = true;
  field.oneofIndex = message.oneofDecl.length;
  message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: `_${field.name}` }));
}

/**
 * A value as the message of its shape: every member is there, has its type, and is the object's own.
 *
 * @throws TypeError that names the member which is not, without its value.
 */
export function shapedMessage(desc: DescMessage, value: unknown): Message {
  return fill(desc, value, desc.typeName);
}

function fill(desc: DescMessage, value: unknown, path: string): Message {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) {
    throw wrong(path, 'an object');
  }
  const message = create(desc);
  const into = reflect(desc, message);
  for (const field of desc.fields) {
    const at = `${path}.${field.name}`;
    const member = memberOf(value, field.name, at);
    if (member === undefined || member === null) {
      if (field.proto.proto3Optional) continue;
      throw wrong(at, 'given');
    }
    if (field.fieldKind !== 'list') {
      into.set(field, valueOf(field, member, at));
      continue;
    }
    if (!Array.isArray(member) || types.isProxy(member)) throw wrong(at, 'an array');
    const list = into.get(field);
    for (let i = 0; i < member.length; i++) {
      list.add(valueOf(field, memberOf(member, String(i), at), at));
    }
  }
  return message;
}

/** A getter could show the handler another value. */
function memberOf(value: object, name: string, at: string): unknown {
  const member = Object.getOwnPropertyDescriptor(value, name);
  if (member === undefined) return undefined;
  if ('value' in member) return member.value as unknown;
  throw wrong(at, 'a value, not a getter');
}

function valueOf(field: DescField, value: unknown, at: string): unknown {
  const { message } = field as { message?: DescMessage };
  if (message !== undefined) {
    if (message.typeName !== 'google.protobuf.Timestamp') {
      return reflect(message, fill(message, value, at));
    }
    if (!types.isDate(value) || types.isProxy(value) || Number.isNaN(value.getTime())) {
      throw wrong(at, 'a valid Date');
    }
    return reflect(message, timestampFromDate(value));
  }
  const [wanted, read] = READERS.get((field as { scalar?: ScalarType }).scalar!)!;
  const scalar = read(value);
  if (scalar === undefined) throw wrong(at, wanted);
  return scalar;
}

/** By type: what a value must be, and the value of the message; undefined for another. */
const READERS: ReadonlyMap<ScalarType, readonly [string, (value: unknown) => unknown]> = new Map([
  [ScalarType.STRING, ['a string', (value) => (typeof value === 'string' ? value : undefined)]],
  [ScalarType.BOOL, ['a boolean', (value) => (typeof value === 'boolean' ? value : undefined)]],
  [ScalarType.INT64, ['an integer', integerOf]],
  [ScalarType.DOUBLE, ['a number', (value) => (typeof value === 'number' ? value : undefined)]],
  [ScalarType.BYTES, ['a Uint8Array', bytesOf]],
]);

function integerOf(value: unknown): bigint | undefined {
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value ? value : undefined;
}

function bytesOf(value: unknown): Uint8Array | undefined {
  return types.isUint8Array(value) ? Uint8Array.from(value) : undefined;
}

function wrong(path: string, what: string): TypeError {
  return new TypeError(`authz: ${path} must be ${what}, for conditions`);
}
