import type { DescMessage } from '@bufbuild/protobuf';

/** Types that have no parts. `dyn` is any value, known at the evaluation; an Any is `dyn` once it is read. */
export type CelPlainKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'dyn'
  | 'timestamp'
  | 'duration';

/** Types that a wrapper, such as google.protobuf.Int64Value, holds or is null. */
export type CelWrappedKind = 'bool' | 'int' | 'uint' | 'double' | 'string' | 'bytes';

/**
 * The type of a CEL expression. Enums are `int`, as in CEL; Struct is `map<string, dyn>`, ListValue `list<dyn>`,
 * Value and Any `dyn`. A `param` occurs only while an expression is checked.
 */
export type CelType =
  | { readonly kind: CelPlainKind }
  | { readonly kind: 'type'; readonly of: CelType }
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | { readonly kind: 'message'; readonly desc: DescMessage }
  | { readonly kind: 'wrapper'; readonly of: CelWrappedKind }
  | { readonly kind: 'param'; readonly name: string };

/** The plain types, to write the types of variables with. */
export const CEL = {
  bool: { kind: 'bool' },
  int: { kind: 'int' },
  uint: { kind: 'uint' },
  double: { kind: 'double' },
  string: { kind: 'string' },
  bytes: { kind: 'bytes' },
  null: { kind: 'null' },
  dyn: { kind: 'dyn' },
  timestamp: { kind: 'timestamp' },
  duration: { kind: 'duration' },
} as const satisfies Record<CelPlainKind, CelType>;

export function celList(element: CelType): CelType {
  return { kind: 'list', element };
}

export function celMap(key: CelType, value: CelType): CelType {
  return { kind: 'map', key, value };
}

const WELL_KNOWN: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['google.protobuf.Timestamp', CEL.timestamp],
  ['google.protobuf.Duration', CEL.duration],
  ['google.protobuf.Any', CEL.dyn],
  ['google.protobuf.Value', CEL.dyn],
  ['google.protobuf.Struct', celMap(CEL.string, CEL.dyn)],
  ['google.protobuf.ListValue', celList(CEL.dyn)],
  ['google.protobuf.BoolValue', { kind: 'wrapper', of: 'bool' }],
  ['google.protobuf.Int32Value', { kind: 'wrapper', of: 'int' }],
  ['google.protobuf.Int64Value', { kind: 'wrapper', of: 'int' }],
  ['google.protobuf.UInt32Value', { kind: 'wrapper', of: 'uint' }],
  ['google.protobuf.UInt64Value', { kind: 'wrapper', of: 'uint' }],
  ['google.protobuf.FloatValue', { kind: 'wrapper', of: 'double' }],
  ['google.protobuf.DoubleValue', { kind: 'wrapper', of: 'double' }],
  ['google.protobuf.StringValue', { kind: 'wrapper', of: 'string' }],
  ['google.protobuf.BytesValue', { kind: 'wrapper', of: 'bytes' }],
]);

/** The type of a message: for a well-known type, such as Timestamp or Struct, what CEL has for it. */
export function celMessage(desc: DescMessage): CelType {
  return WELL_KNOWN.get(desc.typeName) ?? { kind: 'message', desc };
}

/** The type as CEL writes it: `list(string)`, `map(string, dyn)`, `shop.v1.Order`. */
export function formatCelType(type: CelType): string {
  switch (type.kind) {
    case 'list':
      return `list(${formatCelType(type.element)})`;
    case 'map':
      return `map(${formatCelType(type.key)}, ${formatCelType(type.value)})`;
    case 'message':
      return type.desc.typeName;
    case 'wrapper':
      return `wrapper(${type.of})`;
    case 'type':
      return type.of.kind === 'dyn' ? 'type' : `type(${formatCelType(type.of)})`;
    case 'param':
      return type.name;
    case 'timestamp':
    case 'duration':
      return `google.protobuf.${type.kind === 'timestamp' ? 'Timestamp' : 'Duration'}`;
    case 'bool':
    case 'int':
    case 'uint':
    case 'double':
    case 'string':
    case 'bytes':
    case 'null':
    case 'dyn':
      return type.kind;
  }
}

/** Whether both are the same type, parts included. */
export function sameCelType(a: CelType, b: CelType): boolean {
  if (a.kind === 'list') return b.kind === 'list' && sameCelType(a.element, b.element);
  if (a.kind === 'map') {
    return b.kind === 'map' && sameCelType(a.key, b.key) && sameCelType(a.value, b.value);
  }
  if (a.kind === 'message') {
    return b.kind === 'message' && a.desc.typeName === b.desc.typeName;
  }
  if (a.kind === 'wrapper') return b.kind === 'wrapper' && a.of === b.of;
  if (a.kind === 'type') return b.kind === 'type' && sameCelType(a.of, b.of);
  if (a.kind === 'param') return b.kind === 'param' && a.name === b.name;
  return a.kind === b.kind;
}
