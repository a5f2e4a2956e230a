import { createRegistry, type Registry } from '@bufbuild/protobuf';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import type { Type } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import type { Value } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import {
  CEL,
  celList,
  celMap,
  celMessage,
  type CelType,
} from '../../libs/authz/src/cel/cel-type.js';
import type { CelScope } from '../../libs/authz/src/cel/cel-scope.js';
import {
  CelTypeName,
  CelUint,
  EntryMap,
  isCelMap,
  kindOf,
  mapKey,
  type MapKey,
} from '../../libs/authz/src/cel/values/cel-value.js';
import { equalValues } from '../../libs/authz/src/cel/values/compare.js';
import { DynamicValues } from '../../libs/authz/src/cel/values/read-value.js';

const registry: Registry = createRegistry(getTestRegistry());

/** The types of cel-spec's cases. */
export const types: CelScope['types'] = (name) =>
  registry.getMessage(name) ?? registry.getEnum(name);

const findMessage = (name: string) => registry.getMessage(name);
const dynamic = new DynamicValues(findMessage);

/** A value of a case as ours. */
export function valueOf({ kind }: Value): unknown {
  switch (kind.case) {
    case 'uint64Value':
      return new CelUint(kind.value);
    case 'enumValue':
      return BigInt(kind.value.value);
    case 'nullValue':
      return null;
    case 'typeValue':
      return new CelTypeName(kind.value);
    case 'objectValue':
      return dynamic.toValue(kind.value);
    case 'listValue':
      return kind.value.values.map(valueOf);
    case 'mapValue': {
      const entries = kind.value.entries.map(({ key, value }): [MapKey, [unknown, unknown]] => {
        const as = key && valueOf(key);
        return [mapKey(as) ?? '', [as, value && valueOf(value)]];
      });
      return new EntryMap(new Map(entries));
    }
    case undefined:
      return undefined;
    case 'boolValue':
    case 'int64Value':
    case 'doubleValue':
    case 'stringValue':
    case 'bytesValue':
      return kind.value;
  }
}

/** Equal, and of the same types throughout. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (kindOf(a) !== kindOf(b)) return false;
  if (typeof a === 'number') return Object.is(a, b);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((element, at) => sameValue(element, b[at]));
  }
  if (isCelMap(a) && isCelMap(b)) {
    const keys = [...a.keys()];
    return (
      a.size === b.size &&
      keys.every((key) => sameValue(a.get(mapKey(key) ?? ''), b.get(mapKey(key) ?? '')))
    );
  }
  return equalValues(a, b, findMessage);
}

const PRIMITIVES = [CEL.dyn, CEL.bool, CEL.int, CEL.uint, CEL.double, CEL.string, CEL.bytes];

/** A type of a case as ours; undefined for those that we do not have. */
export function typeOf({ typeKind }: Type): CelType | undefined {
  switch (typeKind.case) {
    case 'dyn':
      return CEL.dyn;
    case 'null':
      return CEL.null;
    case 'primitive':
      return PRIMITIVES[typeKind.value];
    case 'wrapper': {
      const of = PRIMITIVES[typeKind.value]?.kind;
      return of === undefined || of === 'dyn' ? undefined : { kind: 'wrapper', of };
    }
    case 'wellKnown':
      return [CEL.dyn, CEL.dyn, CEL.timestamp, CEL.duration][typeKind.value];
    case 'listType': {
      const element = typeKind.value.elemType && typeOf(typeKind.value.elemType);
      return celList(element ?? CEL.dyn);
    }
    case 'mapType': {
      const { keyType, valueType } = typeKind.value;
      return celMap(
        (keyType && typeOf(keyType)) ?? CEL.dyn,
        (valueType && typeOf(valueType)) ?? CEL.dyn,
      );
    }
    case 'messageType': {
      const desc = registry.getMessage(typeKind.value);
      return desc && celMessage(desc);
    }
    case 'type':
      return { kind: 'type', of: typeOf(typeKind.value) ?? CEL.dyn };
    case 'function':
    case 'typeParam':
    case 'error':
    case 'abstractType':
    case undefined:
      return undefined;
  }
}
