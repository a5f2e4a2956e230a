import { create, isFieldSet, ScalarType } from '@bufbuild/protobuf';
import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';
import { CEL, celList, celMap, celMessage, type CelType } from '../cel-type.js';
import { CelUint, EntryMap, ObjectMap, type MapKey } from './cel-value.js';
import { DynamicValues, notAValue, scalarToValue, toInt, type ToValue } from './read-value.js';

/** Reads one field of messages of one type. */
export interface CelFieldReader {
  readonly field: DescField;
  readonly type: CelType;
  /** The value of the field; the default of its type where it is not set. */
  readonly read: (message: unknown) => unknown;
  /** What `has` says. */
  readonly isSet: (message: unknown) => unknown;
}

/** The readers of the fields of messages, made once each. */
export class FieldReaders {
  private readonly made = new Map<DescField, CelFieldReader>();

  constructor(private readonly dynamic: DynamicValues) {}

  of(desc: DescMessage, name: string): CelFieldReader | undefined {
    const field = desc.fields.find((candidate) => candidate.name === name);
    if (field === undefined) return undefined;
    let reader = this.made.get(field);
    if (reader === undefined) {
      reader = makeReader(field, this.dynamic);
      this.made.set(field, reader);
    }
    return reader;
  }
}

/** The type of a field in CEL. */
export function fieldType(field: DescField): CelType {
  switch (field.fieldKind) {
    case 'list':
      return celList(partType(field.listKind, field));
    case 'map':
      return celMap(scalarType(field.mapKey), partType(field.mapKind, field));
    case 'scalar':
    case 'enum':
    case 'message':
      return partType(field.fieldKind, field);
  }
}

function partType(
  kind: 'scalar' | 'enum' | 'message',
  field: { readonly scalar?: ScalarType | undefined; readonly message?: DescMessage | undefined },
): CelType {
  if (kind === 'enum') return CEL.int;
  if (field.message !== undefined) return celMessage(field.message);
  return field.scalar === undefined ? CEL.dyn : scalarType(field.scalar);
}

function scalarType(scalar: ScalarType): CelType {
  if (scalar === ScalarType.BOOL) return CEL.bool;
  if (scalar === ScalarType.STRING) return CEL.string;
  if (scalar === ScalarType.BYTES) return CEL.bytes;
  if (scalar === ScalarType.DOUBLE || scalar === ScalarType.FLOAT) return CEL.double;
  return scalarToValue(scalar) === toInt ? CEL.int : CEL.uint;
}

function makeReader(field: DescField, dynamic: DynamicValues): CelFieldReader {
  const raw = rawReader(field);
  const toValue = fieldToValue(field, dynamic);
  const typeName = field.parent.typeName;
  const isParent = (value: unknown): value is Message =>
    typeof value === 'object' && value !== null && (value as Message).$typeName === typeName;
  const wanted = `a message ${typeName}`;
  return {
    field,
    type: fieldType(field),
    read: (message) => (isParent(message) ? toValue(raw(message)) : notAValue(message, wanted)),
    isSet: (message) =>
      isParent(message) ? isFieldSet(message, field) : notAValue(message, wanted),
  };
}

/** What protobuf-es has in the property, or in the group of a oneof. */
function rawReader(field: DescField): (message: Message) => unknown {
  const name = field.localName;
  if (field.oneof === undefined) {
    return (message) => (message as unknown as Record<string, unknown>)[name];
  }
  const group = field.oneof.localName;
  return (message) => {
    const chosen = (message as unknown as Record<string, { case?: string; value?: unknown }>)[
      group
    ];
    return chosen?.case === name ? chosen.value : undefined;
  };
}

function fieldToValue(field: DescField, dynamic: DynamicValues): ToValue {
  switch (field.fieldKind) {
    case 'list': {
      const part = partToValue(field.listKind, field, dynamic);
      if (part === undefined) return (raw) => raw ?? [];
      return (raw) => ((raw ?? []) as readonly unknown[]).map(part);
    }
    case 'map':
      return mapToValue(field.mapKey, partToValue(field.mapKind, field, dynamic) ?? ((raw) => raw));
    case 'message': {
      const part = partToValue('message', field, dynamic) ?? ((raw: unknown) => raw);
      const unset = unsetMessage(field.message, dynamic);
      return (raw) => (raw === undefined ? unset : part(raw));
    }
    case 'scalar':
    case 'enum': {
      const part = partToValue(field.fieldKind, field, dynamic);
      const unset = field.getDefaultValue() ?? zeroOf(field);
      if (part === undefined) return (raw) => raw ?? unset;
      return (raw) => part(raw ?? unset);
    }
  }
}

function zeroOf(field: DescField): unknown {
  if (field.scalar === ScalarType.STRING) return '';
  if (field.scalar === ScalarType.BOOL) return false;
  return field.scalar === ScalarType.BYTES ? new Uint8Array() : 0;
}

/** What a field of a message that is not set reads as: null for a wrapper and a Value, else the empty message. */
function unsetMessage(desc: DescMessage, dynamic: DynamicValues): unknown {
  const type = celMessage(desc);
  if (type.kind === 'wrapper' || type.kind === 'dyn') return null;
  return dynamic.toValue(create(desc));
}

function partToValue(
  kind: 'scalar' | 'enum' | 'message',
  field: { readonly scalar?: ScalarType | undefined; readonly message?: DescMessage | undefined },
  dynamic: DynamicValues,
): ToValue | undefined {
  if (kind === 'enum') return toInt;
  if (field.scalar !== undefined) return scalarToValue(field.scalar);
  const type = field.message === undefined ? CEL.dyn : celMessage(field.message);
  if (type.kind === 'message' || type.kind === 'timestamp' || type.kind === 'duration') {
    return undefined;
  }
  if (type.kind !== 'wrapper') return dynamic.toValue;
  // A field of a wrapper holds the bare value, one of a list, a map or a oneof the message.
  if (type.of === 'int' || type.of === 'uint') {
    const convert = scalarToValue(type.of === 'int' ? ScalarType.INT64 : ScalarType.UINT64);
    return (raw) => (typeof raw === 'object' ? dynamic.toValue(raw) : convert?.(raw));
  }
  return dynamic.toValue;
}

/** Keys of protobuf-es are names of properties, whatever the type of the key. */
function mapToValue(keyType: ScalarType, toValue: ToValue): ToValue {
  if (keyType === ScalarType.STRING) {
    return (raw) => new ObjectMap((raw ?? {}) as Readonly<Record<string, unknown>>, toValue);
  }
  return (raw) => {
    const entries = new Map<MapKey, readonly [unknown, unknown]>();
    for (const [name, value] of Object.entries((raw ?? {}) as Readonly<Record<string, unknown>>)) {
      const key = keyType === ScalarType.BOOL ? name === 'true' : BigInt(name);
      const shown =
        scalarToValue(keyType) === toInt || typeof key === 'boolean' ? key : new CelUint(key);
      entries.set(key, [shown, toValue(value)]);
    }
    return new EntryMap(entries);
  };
}
