import { create } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FeatureSet,
  FeatureSetSchema,
  FeatureSet_FieldPresence as Presence,
  FeatureSet_MessageEncoding,
  FeatureSet_RepeatedFieldEncoding,
  FeatureSet_Utf8Validation,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldOptionsSchema,
  FieldOptions_JSType,
  MessageOptionsSchema,
  OneofDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { Dice } from './dice.fixture.js';
import { FieldNames } from './odd-names.fixture.js';

export type Syntax = 'proto2' | 'proto3' | 'editions';

export interface MessageRef {
  readonly typeName: string;
}

export interface EnumRef extends MessageRef {
  readonly isOpen: boolean;
  readonly names: readonly string[];
}

export interface Surroundings {
  readonly syntax: Syntax;
  /** The full name of the message that gets the fields; none for extensions, which are not maps. */
  readonly scope?: string;
  readonly messages: readonly MessageRef[];
  readonly enums: readonly EnumRef[];
}

const SCALARS = [
  Type.DOUBLE,
  Type.FLOAT,
  Type.INT64,
  Type.UINT64,
  Type.INT32,
  Type.FIXED64,
  Type.FIXED32,
  Type.BOOL,
  Type.STRING,
  Type.BYTES,
  Type.UINT32,
  Type.SFIXED32,
  Type.SFIXED64,
  Type.SINT32,
  Type.SINT64,
];
const MAP_KEYS = SCALARS.filter((type) => ![Type.DOUBLE, Type.FLOAT, Type.BYTES].includes(type));
const WITH_64_BITS = new Set([Type.INT64, Type.UINT64, Type.FIXED64, Type.SFIXED64, Type.SINT64]);
const SIGNED = [Type.INT32, Type.INT64, Type.SINT32, Type.SINT64, Type.SFIXED32, Type.SFIXED64];
const DOUBLE_DEFAULTS = ['1.5', 'inf', '-inf', 'nan', '-0', '0'];
const UNSIGNED_DEFAULTS = ['7', '42', '0'];
const DEFAULTS: ReadonlyMap<Type, readonly string[]> = new Map<Type, readonly string[]>([
  [Type.STRING, ['hey', 'größe', '']],
  [Type.BYTES, ['a\\001\\377', 'x']],
  [Type.BOOL, ['true', 'false']],
  [Type.DOUBLE, DOUBLE_DEFAULTS],
  [Type.FLOAT, DOUBLE_DEFAULTS],
  ...SIGNED.map((type) => [type, ['-7', '42', '0']] as const),
]);
const HIGHEST_NUMBER = 2 ** 29 - 1;
/** A compiler of Protobuf keeps these for itself. */
const isReserved = (number: number): boolean => number >= 19_000 && number <= 19_999;

/** A message with so many fields, or with one more for each that got into a oneof. */
export function makeFields(dice: Dice, around: Surroundings, count: number): DescriptorProto {
  return new FieldMaker(dice, around).make(count);
}

class FieldMaker {
  readonly #message = create(DescriptorProtoSchema, {});
  readonly #names: FieldNames;
  #number = 0;

  constructor(
    private readonly dice: Dice,
    private readonly around: Surroundings,
  ) {
    this.#names = new FieldNames(dice);
  }

  make(count: number): DescriptorProto {
    const { dice } = this;
    const message = this.#message;
    while (message.field.length < count) {
      if (this.around.scope !== undefined && dice.chance(0.1)) this.#oneof();
      else if (this.around.scope !== undefined && dice.chance(0.15)) this.#map();
      else message.field.push(dice.chance(0.3) ? this.#list() : this.#single());
    }
    // Synthetic oneofs come after the others.
    for (const field of message.field.filter(({ proto3Optional }) => proto3Optional)) {
      field.oneofIndex = message.oneofDecl.length;
      message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: `_${field.name}` }));
    }
    if (dice.chance(0.3)) dice.shuffle(message.field);
    return message;
  }

  #single(): FieldDescriptorProto {
    const { dice, around } = this;
    const field = this.#field(this.#type());
    const isMessage = field.type === Type.MESSAGE || field.type === Type.GROUP;
    // A message that requires itself has no end.
    const canBeRequired = !isMessage && around.scope !== undefined;
    const isOpenEnum = around.enums.find(({ typeName }) => typeName === field.typeName)?.isOpen;
    if (around.syntax === 'proto2' && canBeRequired && dice.chance(0.05)) {
      field.label = Label.REQUIRED;
    } else if (around.syntax === 'proto3' && !isMessage && dice.chance(0.25)) {
      field.proto3Optional = true;
    } else if (around.syntax === 'editions' && around.scope !== undefined && dice.chance(0.3)) {
      const choices = [Presence.EXPLICIT];
      if (canBeRequired) choices.push(Presence.LEGACY_REQUIRED);
      if (!isMessage && isOpenEnum !== false) choices.push(Presence.IMPLICIT, Presence.IMPLICIT);
      const fieldPresence = dice.pick(choices);
      this.#features(field, { fieldPresence });
      if (fieldPresence === Presence.IMPLICIT) return field;
    }
    if (around.syntax !== 'proto3' && !isMessage && dice.chance(0.2)) {
      field.defaultValue = this.#defaultOf(field);
    }
    return field;
  }

  #list(): FieldDescriptorProto {
    const { dice, around } = this;
    const field = this.#field(this.#type());
    field.label = Label.REPEATED;
    const isPackable = ![Type.STRING, Type.BYTES, Type.MESSAGE, Type.GROUP].includes(field.type);
    if (!isPackable || dice.chance(0.5)) return field;
    if (around.syntax === 'editions') {
      const { PACKED, EXPANDED } = FeatureSet_RepeatedFieldEncoding;
      this.#features(field, { repeatedFieldEncoding: dice.pick([PACKED, EXPANDED]) });
    } else {
      field.options ??= create(FieldOptionsSchema);
      field.options.packed = dice.chance(0.5);
    }
    return field;
  }

  #map(): void {
    const { dice, around } = this;
    const value = this.#field(this.#type(false));
    const entry = `Map${this.#message.nestedType.length}Entry`;
    const key = create(FieldDescriptorProtoSchema, {
      name: 'key',
      jsonName: 'key',
      number: 1,
      label: Label.OPTIONAL,
      type: dice.pick(MAP_KEYS),
    });
    const { name, jsonName, number } = value;
    Object.assign(value, { name: 'value', jsonName: 'value', number: 2 });
    this.#message.nestedType.push(
      create(DescriptorProtoSchema, {
        name: entry,
        field: [key, value],
        options: create(MessageOptionsSchema, { mapEntry: true }),
      }),
    );
    this.#message.field.push(
      create(FieldDescriptorProtoSchema, {
        name,
        jsonName,
        number,
        label: Label.REPEATED,
        type: Type.MESSAGE,
        typeName: `${around.scope}.${entry}`,
      }),
    );
  }

  #oneof(): void {
    const oneofIndex = this.#message.oneofDecl.length;
    const name = this.#names.next();
    this.#message.oneofDecl.push(create(OneofDescriptorProtoSchema, { name }));
    for (let left = this.dice.int(1, 5); left > 0; left--) {
      const field = this.#field(this.#type());
      field.oneofIndex = oneofIndex;
      this.#message.field.push(field);
    }
  }

  /** A field of one value, with a name and a number. */
  #field(
    type: Pick<FieldDescriptorProto, 'type'> & { readonly typeName?: string },
  ): FieldDescriptorProto {
    const { dice, around } = this;
    const name = this.#names.next();
    const field = create(FieldDescriptorProtoSchema, {
      name,
      jsonName: this.#names.json(name),
      number: this.#nextNumber(),
      label: Label.OPTIONAL,
      ...type,
    });
    if (field.type === Type.GROUP) this.#group(field);
    if (WITH_64_BITS.has(field.type) && dice.chance(0.15)) {
      field.options = create(FieldOptionsSchema, { jstype: FieldOptions_JSType.JS_STRING });
    }
    if (around.syntax === 'editions') {
      if (field.type === Type.MESSAGE && dice.chance(0.25)) {
        this.#features(field, { messageEncoding: FeatureSet_MessageEncoding.DELIMITED });
      }
      if (field.type === Type.STRING && dice.chance(0.25)) {
        this.#features(field, { utf8Validation: FeatureSet_Utf8Validation.NONE });
      }
    }
    return field;
  }

  /** A group is a type inside the message, named like the field. */
  #group(field: FieldDescriptorProto): void {
    const { dice, around } = this;
    const name = `Group${this.#message.nestedType.length}`;
    const inner = makeFields(dice, { ...around, scope: `${around.scope}.${name}` }, dice.int(0, 3));
    inner.name = name;
    this.#message.nestedType.push(inner);
    field.typeName = `${around.scope}.${name}`;
  }

  #type(groups = true): { type: Type; typeName?: string } {
    const { dice, around } = this;
    const roll = dice.next();
    if (roll < 0.55) return { type: dice.pick(SCALARS) };
    if (roll < 0.65) {
      const usable = around.enums.filter(({ isOpen }) => isOpen || around.syntax !== 'proto3');
      return { type: Type.ENUM, typeName: dice.pick(usable).typeName };
    }
    const isGroup = groups && around.syntax === 'proto2' && around.scope !== undefined;
    if (isGroup && roll < 0.7) return { type: Type.GROUP };
    return { type: Type.MESSAGE, typeName: dice.pick(around.messages).typeName };
  }

  #nextNumber(): number {
    const { dice } = this;
    const gap = dice.chance(0.85) ? 1 : dice.chance(0.9) ? dice.int(2, 40) : dice.int(100, 20_000);
    const next = this.#number + gap;
    this.#number = isReserved(next) ? 20_000 : next;
    // Only once a message, or there would be no number left for the next field.
    const isHigh =
      dice.chance(0.02) && !this.#message.field.some(({ number }) => number === HIGHEST_NUMBER);
    return isHigh ? HIGHEST_NUMBER : this.#number;
  }

  #features(
    field: FieldDescriptorProto,
    some: Partial<Omit<FeatureSet, '$typeName' | '$unknown'>>,
  ): void {
    field.options ??= create(FieldOptionsSchema);
    field.options.features = Object.assign(
      field.options.features ?? create(FeatureSetSchema),
      some,
    );
  }

  #defaultOf({ type, typeName }: FieldDescriptorProto): string {
    const { dice, around } = this;
    if (type === Type.ENUM) {
      return dice.pick(around.enums.find((one) => one.typeName === typeName)!.names);
    }
    return dice.pick(DEFAULTS.get(type) ?? UNSIGNED_DEFAULTS);
  }
}
