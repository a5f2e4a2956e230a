import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { clone, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_descriptor,
  file_google_protobuf_struct,
} from '@bufbuild/protobuf/wkt';
import { file_buf_validate_validate } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { DescriptorError } from './descriptor-source.js';
import { KINDS_PATH, kinds } from './kinds.fixture.js';
import { ProtoRegistry } from './proto-registry.js';

const KINDS = 'apix/testdata/kinds.proto';
const bytes = readFileSync(KINDS_PATH);

/** The set with its files changed. */
function setOf(change: (files: FileDescriptorProto[]) => FileDescriptorProto[]): Uint8Array {
  const { file } = fromBinary(FileDescriptorSetSchema, bytes);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: change(file) }));
}

/** The set with a changed copy of kinds.proto. */
function setWith(change: (file: FileDescriptorProto) => void): Uint8Array {
  return setOf((files) => {
    change(files.find(({ name }) => name === KINDS)!);
    return files;
  });
}

function mistakesOf(load: () => unknown): readonly string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof DescriptorError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('ProtoRegistry', () => {
  it.each([
    ['a path', KINDS_PATH],
    ['bytes', bytes],
    ['a list', [bytes]],
  ])('loads a descriptor set given as %s', (_, source) => {
    expect([...ProtoRegistry.load(source).methods.keys()]).toEqual([
      '/apix.testdata.Probe/Unary',
      '/apix.testdata.Probe/ServerStream',
      '/apix.testdata.Probe/ClientStream',
      '/apix.testdata.Probe/BidiStream',
    ]);
  });

  it('loads a generated file together with its imports', () => {
    const loaded = ProtoRegistry.load(file_buf_validate_validate);
    expect(loaded.registry.getExtension('buf.validate.field')?.number).toBe(1159);
    expect(loaded.files().map(({ name }) => name)).toContain('google/protobuf/duration.proto');
  });

  it('finds a method by its canonical name only', () => {
    expect(kinds.method('/apix.testdata.Probe/Unary')?.name).toBe('Unary');
    expect(kinds.method('apix.testdata.Probe/Unary')).toBeUndefined();
    expect(kinds.method('/apix.testdata.Probe/unary')).toBeUndefined();
  });

  it('lists imports before importers, whatever the order in the set', () => {
    const backwards = ProtoRegistry.load(setOf((files) => files.toReversed()));
    const names = backwards.files().map(({ name }) => name);
    const before = backwards
      .files()
      .flatMap(({ name, dependency }, at) =>
        dependency.map((imported) => [imported, name, names.indexOf(imported) < at]),
      );
    expect(before).toContainEqual(['google/protobuf/struct.proto', KINDS, true]);
    expect(before.filter(([, , isBefore]) => !isBefore)).toEqual([]);
  });

  it('keeps custom options in files() as they were written', () => {
    const file = kinds.files().find(({ name }) => name === KINDS)!;
    const options = file.service[0]!.method[0]!.options!;
    expect(options.$unknown?.map(({ no }) => no)).toEqual([50999]);
  });

  it('leaves out what comments tell linters and formatters', () => {
    const lines = ' buf:lint:ignore RPC_PASCAL_CASE\n (-- api-linter: core::0131=disabled\n   --)';
    const said = setWith(({ sourceCodeInfo }) => {
      const ofService = sourceCodeInfo!.location.find(({ path }) => path.join() === '6,0')!;
      ofService.leadingComments = `${lines} Calls.\n clang-format off\n Of every kind.\n`;
    });
    const registry = ProtoRegistry.load(said);
    expect(registry.comments(registry.services[0]!)).toBe('Calls.\nOf every kind.');
  });

  it('takes the same file from two sources, and keeps the copy that has comments', () => {
    const bare = setWith((file) => delete file.sourceCodeInfo);
    const merged = ProtoRegistry.load([bare, bytes, bare]);
    expect(merged.comments(merged.services[0]!)).toBe('Calls of every kind.');
  });

  it('takes a generated file and the same file of a set as equal', () => {
    const generated = kinds.registry.getFile(KINDS)!;
    const stripped = clone(FileDescriptorProtoSchema, generated.proto);
    for (const field of stripped.messageType.flatMap((message) => message.field)) {
      if (field.name !== 'odd_name') Reflect.deleteProperty(field, 'jsonName');
    }
    const asGenerated = setOf((files) => [...files.filter((it) => it.name !== KINDS), stripped]);
    expect(mistakesOf(() => ProtoRegistry.load([bytes, asGenerated]))).toEqual([]);
  });

  it('lets the well-known types of different compilers meet', () => {
    expect(
      mistakesOf(() =>
        ProtoRegistry.load([bytes, file_google_protobuf_struct, file_google_protobuf_descriptor]),
      ),
    ).toEqual([]);
  });
});

describe('ProtoRegistry.load refuses', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'apix-proto-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('no sources', () => {
    expect(() => ProtoRegistry.load([])).toThrow('proto: no descriptor sources were given');
  });

  it.each([
    ['an empty file', ''],
    ['a .proto file', 'syntax = "proto3";\npackage shop.v1;\n'],
    ['JSON', '{"file":[]}'],
    ['text that happens to parse', '\u0012\u0001a'],
    ['a set with a file that has no name', '\n\u0000'],
    ['a set with more in it than files', '\n\u0003\n\u0001a\u0010\u0001'],
  ])('%s', (_, content) => {
    const path = join(folder, 'x.binpb');
    writeFileSync(path, content);
    expect(mistakesOf(() => ProtoRegistry.load(path))).toEqual([
      expect.stringMatching(
        /x\.binpb is not a binary FileDescriptorSet; create it with `buf build/,
      ),
    ]);
  });

  it('a value that is no source', () => {
    const number: unknown = 7;
    expect(mistakesOf(() => ProtoRegistry.load([bytes, number as string]))).toEqual([
      'descriptor source 2 must be a path, bytes or a generated file, not 7',
    ]);
  });

  it('an import that no source holds, and names importer and import', () => {
    const gone = /timestamp|written/;
    const without = setOf((files) => files.filter(({ name }) => !gone.test(name)));
    expect(mistakesOf(() => ProtoRegistry.load(without))).toEqual([
      expect.stringContaining(
        `"${KINDS}" in descriptor source 1 (bytes) imports "google/protobuf/timestamp.proto"`,
      ),
    ]);
  });

  it('files that import each other', () => {
    const circle = setOf((files) => {
      files.find(({ name }) => name.includes('timestamp'))!.dependency.push(KINDS);
      return files;
    });
    expect(mistakesOf(() => ProtoRegistry.load(circle))).toEqual([
      expect.stringContaining('imports itself'),
    ]);
  });

  it('a file that two sources declare differently', () => {
    const other = setWith((file) => void file.messageType[0]!.field.pop());
    expect(mistakesOf(() => ProtoRegistry.load([bytes, other]))).toEqual([
      expect.stringMatching(`"${KINDS}" differs between .*source 1.* and .*source 2`),
    ]);
  });

  it('a type and an extension number that two files declare', () => {
    const doubled = setOf((files) => {
      const copy = clone(
        FileDescriptorProtoSchema,
        files.find(({ name }) => name === KINDS)!,
      );
      copy.name = 'other.proto';
      return [...files, copy];
    });
    const mistakes = mistakesOf(() => ProtoRegistry.load(doubled));
    expect(mistakes).toContain(
      `apix.testdata.Kinds is declared by both "${KINDS}" and "other.proto"`,
    );
    expect(mistakes).toContain(
      `extension 50999 of google.protobuf.MethodOptions is declared by both "${KINDS}" and "other.proto"`,
    );
  });

  it('a set whose types are missing', () => {
    const broken = setWith((file) => {
      file.messageType[1]!.field.find(({ name }) => name === 'child')!.typeName = '.no.Such';
    });
    expect(() => ProtoRegistry.load(broken)).toThrow(/do not fit together: .*Such/);
  });

  it('with every mistake of every source in one error', () => {
    const mistakes = mistakesOf(() => ProtoRegistry.load(['/no/such.binpb', new Uint8Array([1])]));
    expect(mistakes).toEqual([
      expect.stringContaining('/no/such.binpb does not exist'),
      expect.stringContaining('descriptor source 2 (bytes) is not a binary FileDescriptorSet'),
    ]);
    expect(() => ProtoRegistry.load(['/no/a', '/no/b'])).toThrow(/2 mistakes:\n  .*a .*\n  .*b /);
  });
});
