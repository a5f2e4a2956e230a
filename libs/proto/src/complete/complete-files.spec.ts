import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  type DescField,
  type MessageInitShape,
  clone,
  create,
  createFileRegistry,
  toBinary,
} from '@bufbuild/protobuf';
import { nestedTypes } from '@bufbuild/protobuf/reflect';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { JsonCodec } from '../json/json-codec.js';
import { KINDS_PATH, kinds } from '../kinds.fixture.js';
import { ProtoRegistry } from '../proto-registry.js';
import { changedSet, withoutJsonNames, withoutLinks } from './bare-set.fixture.js';

type FileInit = MessageInitShape<typeof FileDescriptorProtoSchema>;

const full = readFileSync(KINDS_PATH);
const bare = changedSet(full, withoutJsonNames);
const loose = changedSet(full, withoutLinks);

function setOf(...file: FileInit[]): FileDescriptorSet {
  return create(FileDescriptorSetSchema, { file });
}

const load = (...file: FileInit[]): ProtoRegistry =>
  ProtoRegistry.load(toBinary(FileDescriptorSetSchema, setOf(...file)));

/** What a codec makes of each field. */
function shapeOf(registry: ProtoRegistry): unknown[] {
  const shape = (field: DescField): unknown[] => [
    field.toString(),
    field.jsonName,
    field.fieldKind,
    field.scalar,
    field.message?.typeName,
    field.enum?.typeName,
    field.presence,
  ];
  return [...registry.registry.files]
    .flatMap((file) => [...nestedTypes(file)])
    .map((desc) => (desc.kind === 'message' ? desc.fields.map(shape) : desc.toString()));
}

const sorted = (values: readonly unknown[]): unknown[] =>
  values.map((value) => JSON.stringify(value)).toSorted();

describe('a set without the JSON names that follow from names', () => {
  it('is read as the set that has them', () => {
    const registry = ProtoRegistry.load(bare);
    expect(shapeOf(registry)).toEqual(shapeOf(kinds));
    const json = new JsonCodec(registry.registry);
    const desc = registry.registry.getMessage('apix.testdata.Kinds')!;
    const text = '{"int32Value":3,"kindsByText":{"a":{"odd.name":"rose"}}}';
    expect(json.encode(desc, json.decode(desc, text))).toBe(text);
  });

  it('is the same as that set, for two sources that hold both', () => {
    expect(ProtoRegistry.load([bare, full]).methods.size).toBe(kinds.methods.size);
    expect(ProtoRegistry.load([full, bare]).methods.size).toBe(kinds.methods.size);
  });

  it('is handed on with them', () => {
    const names = (registry: ProtoRegistry): unknown =>
      registry.files().map(({ messageType }) => messageType.map(({ field }) => field));
    expect(names(ProtoRegistry.load(bare))).toEqual(names(kinds));
  });

  // What protoc 3.21 derives.
  it.each([
    ['plain', 'plain'],
    ['two_words', 'twoWords'],
    ['_leading', 'Leading'],
    ['trailing_', 'trailing'],
    ['dou__ble', 'douBle'],
    ['one_1a', 'one1a'],
    ['Upper_Case', 'UpperCase'],
    ['ALL_CAPS', 'ALLCAPS'],
    ['x9_y', 'x9Y'],
    ['a1b_2C_d', 'a1b2CD'],
    ['__proto__', 'Proto'],
    ['camelCase', 'camelCase'],
    ['constructor', 'constructor'],
  ])('names the field %s %s', (name, jsonName) => {
    const field = [{ name, number: 1, type: Type.INT32 }];
    const nestedType = [{ name: 'Inner', field }];
    const registry = load({ name: 'a.proto', messageType: [{ name: 'Outer', field, nestedType }] });
    const names = ['Outer', 'Outer.Inner'].map(
      (type) => registry.registry.getMessage(type)!.fields[0]!.jsonName,
    );
    expect(names).toEqual([jsonName, jsonName]);
  });

  it('does not change the descriptors that it comes with', () => {
    const field = [{ name: 'two_words', number: 1, type: Type.INT32 }];
    const set = setOf({ name: 'a.proto', messageType: [{ name: 'A', field }] });
    const generated = createFileRegistry(set).getFile('a.proto')!;
    const before = clone(FileDescriptorProtoSchema, generated.proto);
    const registry = ProtoRegistry.load(generated).registry;
    expect(registry.getMessage('A')!.fields[0]!.jsonName).toBe('twoWords');
    expect(generated.proto).toEqual(before);
  });

  it('keeps descriptors as they are that lack nothing', () => {
    const files = ProtoRegistry.load([...kinds.registry.files]).files();
    expect(files).toEqual(kinds.files());
    for (const file of files) expect(kinds.files()).toContain(file);
  });
});

describe('a set without dots before names, kinds of types and imports', () => {
  it('is read as the set that has them', () => {
    expect(sorted(shapeOf(ProtoRegistry.load(loose)))).toEqual(sorted(shapeOf(kinds)));
  });

  const OTHER: FileInit = {
    name: 'other.proto',
    package: 'shop',
    enumType: [{ name: 'Kind', value: [{ name: 'NONE', number: 0 }] }],
    messageType: [{ name: 'Part', nestedType: [{ name: 'Deep' }] }],
  };
  const using = (typeName: string): FileInit => ({
    name: 'using.proto',
    package: 'shop.v1',
    messageType: [
      {
        name: 'Outer',
        field: [{ name: 'it', number: 1, label: Label.OPTIONAL, typeName }],
        nestedType: [{ name: 'Part', nestedType: [{ name: 'Own' }] }],
      },
      { name: 'Beside' },
    ],
    service: [
      { name: 'Calls', method: [{ name: 'Get', inputType: 'Beside', outputType: 'v1.Outer' }] },
    ],
  });
  const typeIn = ({ registry }: ProtoRegistry): string | undefined => {
    const [field] = registry.getMessage('shop.v1.Outer')!.fields;
    return (field?.message ?? field?.enum)?.typeName;
  };

  it.each([
    ['Part', 'shop.v1.Outer.Part'],
    ['Part.Own', 'shop.v1.Outer.Part.Own'],
    ['Outer.Part', 'shop.v1.Outer.Part'],
    ['Beside', 'shop.v1.Beside'],
    ['v1.Beside', 'shop.v1.Beside'],
    ['Kind', 'shop.Kind'],
    ['shop.Part', 'shop.Part'],
    ['shop.Part.Deep', 'shop.Part.Deep'],
    ['.shop.Part', 'shop.Part'],
    ['.shop.Kind', 'shop.Kind'],
  ])('finds %s in the scopes around it: %s', (typeName, fullName) => {
    expect(typeIn(load(using(typeName), OTHER))).toBe(fullName);
  });

  it('imports the files of the types that it names, before itself', () => {
    const registry = load(using('Kind'), OTHER);
    const [first, second] = registry.files();
    expect([first?.name, second?.name, second?.dependency]).toEqual([
      'other.proto',
      'using.proto',
      ['other.proto'],
    ]);
    expect(registry.method('/shop.v1.Calls/Get')).toMatchObject({
      input: { typeName: 'shop.v1.Beside' },
      output: { typeName: 'shop.v1.Outer' },
    });
  });

  it('imports nothing that another import brings along', () => {
    const hub = { name: 'hub.proto', dependency: ['other.proto'], publicDependency: [0] };
    const registry = load({ ...using('.shop.Part'), dependency: ['hub.proto'] }, hub, OTHER);
    expect(registry.files().at(-1)?.dependency).toEqual(['hub.proto']);
  });

  it('is refused by the name of a type that no file declares', () => {
    expect(() => load(using('Nowhere'), OTHER)).toThrow(/do not fit together: .*Nowhere/);
  });
});
