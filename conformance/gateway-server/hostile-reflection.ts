import { type MessageInitShape, create, toBinary } from '@bufbuild/protobuf';
import {
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  type FileDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { fromBinary } from '@bufbuild/protobuf';
import { readFileSync } from 'node:fs';
import {
  type Script,
  failure,
  files,
  services,
} from '../../libs/grpc/src/reflection-client/scripted-reflection.fixture.js';

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
function saying(answer: (name: string) => ReturnType<Script>, names = [SERVICE]): Script {
  return (question) =>
    question.case === 'listServices' ? services(...names) : answer(String(question.value));
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

/** Options of a method that are no options: what should be a message is a broken one. */
function brokenOptions(extension: number): File {
  const tag = (extension << 3) | 2;
  const key = [0, 7, 14, 21].map((shift) => ((tag >>> shift) & 127) | 128);
  const file = declaring();
  const options = Buffer.from([...key, tag >>> 28, 3, 0xff, 0xff, 0xff]);
  const [service] = file.service!;
  const [method] = service!.method!;
  return {
    ...file,
    service: [
      {
        ...service,
        method: [
          {
            ...method,
            options: { $unknown: [{ no: extension, wireType: 2, data: options.subarray(5) }] },
          },
        ],
      },
    ],
  } as File;
}

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
    saying((name) =>
      files(declaring({ dependency: ['b.proto'] }), {
        name: 'b.proto',
        package: name === '' ? 'b' : 'b',
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
    /more than|longer|too|bytes|in time|DEADLINE/,
  ],
  ['types that are not there', saying(() => files(declaring({ messageType: [] }))), /a\.v1\.M/],
  ['messages 20,000 deep', saying(() => raw(deep(20_000))), /./],
  [
    '20 MB in one answer',
    saying(() => files(declaring({ options: { javaPackage: 'x'.repeat(20_000_000) } }))),
    /RESOURCE_EXHAUSTED|bytes/,
  ],
  ['a broken rule of HTTP', saying(() => files(brokenOptions(72_295_728))), /./],
  ['an answer that never comes', () => undefined, /DEADLINE_EXCEEDED/],
];

/** A garden that describes itself as it should. */
export function wellDescribed(set: string): Script {
  const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(set));
  const byName = new Map<string, FileDescriptorProto>(file.map((it) => [it.name, it]));
  return (question) => {
    if (question.case === 'listServices') return services('garden.v1.Garden');
    const name = String(question.value);
    const found = byName.get(name.endsWith('.proto') ? name : 'garden/v1/garden.proto');
    return found === undefined ? failure('not known') : files(found);
  };
}
