import { type MessageInitShape, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { readFileSync } from 'node:fs';
import {
  type Script,
  failure,
  files,
  services,
} from '../../libs/grpc-client/src/reflection/scripted-reflection.fixture.js';

type File = MessageInitShape<typeof FileDescriptorProtoSchema>;

const SERVICE = 'a.v1.A';

/** A file that declares the service, and whatever else. */
function declaring(more: File = {}): File {
  const input = '.a.v1.M';
  return {
    name: 'a.proto',
    package: 'a.v1',
    syntax: 'proto3',
    messageType: [{ name: 'M' }],
    service: [{ name: 'A', method: [{ name: 'Do', inputType: input, outputType: input }] }],
    ...more,
  };
}

/** Answers the list with the service, and each question for files by a function of its name. */
function saying(answer: (name: string) => ReturnType<Script>): Script {
  return (question) =>
    question.case === 'listServices' ? services(SERVICE) : answer(nameIn(question));
}

/** The symbol or file that is asked for. */
function nameIn({ value }: Parameters<Script>[0]): string {
  return typeof value === 'string' ? value : '';
}

const raw = (bytes: Uint8Array): ReturnType<Script> => ({
  case: 'fileDescriptorResponse',
  value: { fileDescriptorProto: [bytes] },
});

/** Messages inside of messages, so deep that whoever follows them by calls of functions runs out of stack. */
function deep(levels: number): Uint8Array {
  const head = toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, declaring()));
  let inner = Buffer.alloc(0);
  for (let level = 0; level < levels; level++) {
    inner = Buffer.concat([Uint8Array.of(0x0a, 1, 0x61), delimited(0x1a, inner)]);
  }
  return Buffer.concat([head, delimited(0x22, inner)]);
}

function delimited(tag: number, content: Uint8Array): Buffer {
  const length: number[] = [];
  for (let rest = content.length; ; rest >>>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest);
    if (rest <= 127) break;
  }
  return Buffer.concat([Uint8Array.of(tag, ...length), content]);
}

/** A file whose method has these options, encoded, by their numbers. */
function optioned(extensions: Readonly<Record<number, string>>): File {
  const options = create(MethodOptionsSchema);
  options.$unknown = Object.entries(extensions).map(([no, content]) => {
    const bytes = Buffer.from(content, 'latin1');
    return {
      no: Number(no),
      wireType: 2,
      data: Buffer.concat([Uint8Array.of(bytes.length), bytes]),
    };
  });
  const type = '.a.v1.M';
  const method = { name: 'Do', inputType: type, outputType: type, options };
  return declaring({ service: [{ name: 'A', method: [method] }] });
}

const HTTP = 72_295_728;
const BROKEN = '\xff\xff\xff';

/** What a server says of itself that is wrong, and what is said about it. */
export const WRONG: readonly (readonly [string, Script, RegExp])[] = [
  [
    'bytes that are no message',
    () => Buffer.from('\xff\xff\xff\xff', 'latin1'),
    /sent what is not a message of it/,
  ],
  ['a refusal', () => failure('no\n\x1b[2Jnot today'), /does not describe/],
  ['no services', () => services(), /lists no services/],
  [
    'a file that is none',
    saying(() => raw(Buffer.from('\xff\xff\xff', 'latin1'))),
    /not a descriptor/,
  ],
  ['a file without a name', saying(() => files(declaring({ name: '' }))), /without a name/],
  ['another file', saying(() => files({ name: 'b.proto', package: 'b' })), /do not declare it/],
  [
    'a file that imports itself',
    saying(() => files(declaring({ dependency: ['a.proto'] }))),
    /a\.proto/,
  ],
  [
    'files that import each other',
    saying(() =>
      files(declaring({ dependency: ['b.proto'] }), {
        name: 'b.proto',
        package: 'b',
        dependency: ['a.proto'],
      }),
    ),
    /import/,
  ],
  [
    'two files that declare the same message',
    saying(() =>
      files(declaring({ dependency: ['b.proto'] }), {
        name: 'b.proto',
        package: 'a.v1',
        syntax: 'proto3',
        messageType: [{ name: 'M' }],
      }),
    ),
    /a\.v1\.M/,
  ],
  [
    'imports without an end',
    saying((name) =>
      files(
        declaring({
          name: name === SERVICE ? 'a.proto' : name,
          dependency: [`${name}x`],
          ...(name !== SERVICE && { service: [], messageType: [] }),
        }),
      ),
    ),
    /DEADLINE_EXCEEDED|more than 4096 files/,
  ],
  ['types that are not there', saying(() => files(declaring({ messageType: [] }))), /a\.v1\.M/],
  ['messages 20,000 deep', saying(() => raw(deep(20_000))), /not a descriptor/],
  [
    '20 MB in one answer',
    saying(() => files(declaring({ options: { javaPackage: 'x'.repeat(20_000_000) } }))),
    /RESOURCE_EXHAUSTED|bytes/,
  ],
  [
    'a rule of HTTP that is none',
    saying(() => files(optioned({ [HTTP]: BROKEN }))),
    /a\.v1\.A\.Do: the option \(google\.api\.http\) cannot be decoded/,
  ],
  ['an answer that never comes', () => undefined, /DEADLINE_EXCEEDED/],
];

/** A garden that describes itself as it should. */
export function wellDescribed(set: string): Script {
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(set));
  const byName = new Map<string, FileDescriptorProto>(file.map((it) => [it.name, it]));
  return (question) => {
    if (question.case === 'listServices') return services('garden.v1.Garden');
    const name = nameIn(question);
    const found = byName.get(name.endsWith('.proto') ? name : 'garden/v1/garden.proto');
    return found === undefined ? failure('not known') : files(found);
  };
}
