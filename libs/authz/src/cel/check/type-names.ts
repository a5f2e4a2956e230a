import type { DescEnum, DescMessage } from '@bufbuild/protobuf';
import {
  AnySchema,
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
  DurationSchema,
  FloatValueSchema,
  Int32ValueSchema,
  Int64ValueSchema,
  ListValueSchema,
  StringValueSchema,
  StructSchema,
  TimestampSchema,
  UInt32ValueSchema,
  UInt64ValueSchema,
  ValueSchema,
} from '@bufbuild/protobuf/wkt';
import { CEL, celList, celMap, celMessage, type CelType } from '../cel-type.js';
import type { CelScope } from '../cel-scope.js';
import type { FindMessage } from '../values/compare.js';

const WELL_KNOWN: ReadonlyMap<string, DescMessage> = new Map(
  [
    AnySchema,
    BoolValueSchema,
    BytesValueSchema,
    DoubleValueSchema,
    DurationSchema,
    FloatValueSchema,
    Int32ValueSchema,
    Int64ValueSchema,
    ListValueSchema,
    StringValueSchema,
    StructSchema,
    TimestampSchema,
    UInt32ValueSchema,
    UInt64ValueSchema,
    ValueSchema,
  ].map((desc): [string, DescMessage] => [desc.typeName, desc]),
);

const BASIC: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', CEL.bool],
  ['int', CEL.int],
  ['uint', CEL.uint],
  ['double', CEL.double],
  ['string', CEL.string],
  ['bytes', CEL.bytes],
  ['list', celList(CEL.dyn)],
  ['map', celMap(CEL.dyn, CEL.dyn)],
  ['null_type', CEL.null],
  ['type', { kind: 'type', of: CEL.dyn }],
]);

/** Types and constants of enums by their names, looked up in the container first. */
export class TypeNames {
  constructor(private readonly scope: Pick<CelScope, 'types' | 'container'>) {}

  readonly findMessage: FindMessage = (fullName) => {
    const desc = this.find(fullName);
    return desc?.kind === 'message' ? desc : undefined;
  };

  /** `a.b` in the container `x.y`: `x.y.a.b`, `x.a.b`, `a.b`; `.a.b` is only itself. */
  candidates(name: string): readonly string[] {
    if (name.startsWith('.')) return [name.slice(1)];
    const parts = (this.scope.container ?? '').split('.').filter((part) => part !== '');
    const found: string[] = [];
    for (let count = parts.length; count > 0; count--) {
      found.push(`${parts.slice(0, count).join('.')}.${name}`);
    }
    return [...found, name];
  }

  message(name: string): DescMessage | undefined {
    for (const candidate of this.candidates(name)) {
      const desc = this.findMessage(candidate);
      if (desc !== undefined) return desc;
    }
    return undefined;
  }

  /** The type that a full name says, as a value of the expression. */
  type(fullName: string): { readonly type: CelType; readonly name: string } | undefined {
    const basic = BASIC.get(fullName);
    if (basic !== undefined) return { type: basic, name: fullName };
    const desc = this.findMessage(fullName);
    return desc === undefined ? undefined : { type: celMessage(desc), name: desc.typeName };
  }

  /** The number of a constant of an enum, such as `shop.v1.OrderState.PAID`. */
  enumNumber(fullName: string): number | undefined {
    const dot = fullName.lastIndexOf('.');
    const desc = dot < 0 ? undefined : this.find(fullName.slice(0, dot));
    if (desc?.kind !== 'enum') return undefined;
    return desc.values.find((value) => value.name === fullName.slice(dot + 1))?.number;
  }

  private find(fullName: string): DescMessage | DescEnum | undefined {
    return this.scope.types(fullName) ?? WELL_KNOWN.get(fullName);
  }
}
