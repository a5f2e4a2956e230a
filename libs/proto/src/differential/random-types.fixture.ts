import {
  type DescExtension,
  type DescMessage,
  type FileRegistry,
  create,
  createFileRegistry,
} from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  Edition,
  EnumDescriptorProtoSchema,
  FeatureSetSchema,
  FeatureSet_EnumType,
  FeatureSet_Utf8Validation,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  EnumOptionsSchema,
  FileOptionsSchema,
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import type { Dice } from './dice.fixture.js';
import { type EnumRef, type MessageRef, type Syntax, makeFields } from './random-fields.fixture.js';

/** Types that no one wrote, with what is needed to use them. */
export interface World {
  readonly registry: FileRegistry;
  /** The types to begin with: all but those of map entries. */
  readonly messages: readonly DescMessage[];
  readonly extensions: readonly DescExtension[];
}

const WELL_KNOWN_FILES = [
  file_google_protobuf_any,
  file_google_protobuf_duration,
  file_google_protobuf_empty,
  file_google_protobuf_field_mask,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
];

const WELL_KNOWN_MESSAGES: readonly MessageRef[] = [
  'Any',
  'Duration',
  'Empty',
  'FieldMask',
  'Struct',
  'Value',
  'ListValue',
  'Timestamp',
  ...['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map(
    (name) => `${name}Value`,
  ),
].map((name) => ({ typeName: `.google.protobuf.${name}` }));

const NULL_VALUE: EnumRef = {
  typeName: '.google.protobuf.NullValue',
  isOpen: true,
  names: ['NULL_VALUE'],
};

const SYNTAXES: readonly Syntax[] = ['proto3', 'proto2', 'editions'];

/** Draws three files, of proto3, proto2 and edition 2023, each of which uses those before it. */
export function randomTypes(dice: Dice): World {
  const messages = [...WELL_KNOWN_MESSAGES];
  const enums: EnumRef[] = [NULL_VALUE];
  const files = SYNTAXES.map((syntax, at) => {
    const imports = SYNTAXES.slice(0, at).map(fileName);
    return new FileMaker(dice, syntax, messages, enums).make(imports);
  });
  const wellKnown = WELL_KNOWN_FILES.map(({ proto }) => proto);
  const registry = createFileRegistry(
    create(FileDescriptorSetSchema, { file: [...wellKnown, ...files] }),
  );
  const all = [...registry];
  return {
    registry,
    messages: all.filter((desc) => desc.kind === 'message'),
    extensions: all.filter((desc) => desc.kind === 'extension'),
  };
}

class FileMaker {
  constructor(
    private readonly dice: Dice,
    private readonly syntax: Syntax,
    private readonly messages: MessageRef[],
    private readonly enums: EnumRef[],
  ) {}

  make(imports: readonly string[]): FileDescriptorProto {
    const { dice, syntax } = this;
    const scope = `.odd.${syntax}`;
    const enumType = Array.from({ length: dice.int(1, 3) }, (_, at) => this.#enum(`E${at}`, scope));
    const names = Array.from({ length: dice.int(2, 5) }, (_, at) => `M${at}`);
    const own = names.flatMap((name) => {
      const inner = dice.chance(0.3) ? [`${name}.Inner`] : [];
      return [name, ...inner];
    });
    const refs = own.map((name) => ({ typeName: `${scope}.${name}` }));
    this.messages.push(...refs);
    const taken = new Set<string>();
    const make = (path: string): DescriptorProto => {
      const made = this.#message(`${scope}.${path}`);
      for (const { number } of made.field) taken.add(`${scope}.${path} ${number}`);
      for (const other of own.filter((name) => name.startsWith(`${path}.`))) {
        made.nestedType.push(make(other));
      }
      return made;
    };
    const messageType = names.map(make);
    const extendable = syntax === 'proto3' ? [] : refs.map(({ typeName }) => typeName);
    const extension = extendable.flatMap((extendee, at) =>
      dice
        .list(4, () => extendee)
        .map((_, nth) => {
          const field = makeFields(dice, this.#surroundings(), 1).field[0]!;
          const number = 1000 + nth * dice.int(1, 9) + (dice.chance(0.1) ? 500_000_000 : 0);
          const name = `x${at}_${nth}`;
          return Object.assign(field, { extendee, number, name, jsonName: `x${at}${nth}` });
        }),
    );
    return create(FileDescriptorProtoSchema, {
      name: fileName(syntax),
      package: scope.slice(1),
      syntax,
      ...(syntax === 'editions' ? { edition: Edition.EDITION_2023 } : {}),
      ...(syntax === 'editions' && dice.chance(0.2) ? { options: this.#fileOptions() } : {}),
      dependency: [...WELL_KNOWN_FILES.map(({ proto }) => proto.name), ...imports],
      messageType,
      enumType,
      extension: uniqueNumbers(extension, taken),
    });
  }

  #fileOptions(): ReturnType<typeof create<typeof FileOptionsSchema>> {
    const utf8Validation = FeatureSet_Utf8Validation.NONE;
    return create(FileOptionsSchema, { features: create(FeatureSetSchema, { utf8Validation }) });
  }

  #surroundings(): Parameters<typeof makeFields>[1] {
    return { syntax: this.syntax, messages: this.messages, enums: this.enums };
  }

  #message(typeName: string): DescriptorProto {
    const { dice } = this;
    const roll = dice.next();
    const count = roll < 0.75 ? dice.int(0, 8) : roll < 0.9 ? dice.int(25, 40) : dice.int(60, 90);
    const made = makeFields(dice, { ...this.#surroundings(), scope: typeName }, count);
    made.name = typeName.slice(typeName.lastIndexOf('.') + 1);
    return made;
  }

  #enum(name: string, scope: string): EnumDescriptorProto {
    const { dice, syntax } = this;
    const isOpen = syntax === 'proto3' || (syntax === 'editions' && dice.chance(0.6));
    const first = isOpen || dice.chance(0.5) ? 0 : dice.pick([1, -1, 7]);
    const numbers = [
      first,
      ...dice.list(5, () => dice.pick([0, 1, 2, 3, -5, 127, 128, 2 ** 31 - 1, -(2 ** 31)])),
    ];
    const hasAliases = new Set(numbers).size < numbers.length;
    const names = numbers.map((_, at) => `${name}_V${at}`);
    this.enums.push({ typeName: `${scope}.${name}`, isOpen, names });
    const enumType = isOpen ? FeatureSet_EnumType.OPEN : FeatureSet_EnumType.CLOSED;
    const features =
      syntax === 'editions' ? { features: create(FeatureSetSchema, { enumType }) } : {};
    return create(EnumDescriptorProtoSchema, {
      name,
      value: numbers.map((number, at) => ({ name: names[at]!, number })),
      options: create(EnumOptionsSchema, {
        ...features,
        ...(hasAliases ? { allowAlias: true } : {}),
      }),
    });
  }
}

/** A compiler refuses a number that the extended message has already. */
function uniqueNumbers<T extends { readonly extendee: string; readonly number: number }>(
  all: readonly T[],
  taken: Set<string>,
): T[] {
  return all.filter(({ extendee, number }) => {
    const key = `${extendee} ${number}`;
    if (taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}

function fileName(syntax: Syntax): string {
  return `odd/${syntax}.proto`;
}
