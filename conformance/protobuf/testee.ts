// Answers the conformance runner over stdin and stdout: `node testee.mjs <descriptors> message|direct`.
// `direct` goes from JSON to the wire and back without a message in between.
import { type DescMessage, type Message, create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { readSync, writeSync } from 'node:fs';
import { type Ways, compiledWays } from '../../libs/proto/src/differential/ways.fixture.js';
import { ProtoRegistry } from '../../libs/proto/src/index.js';

/** Values of conformance.WireFormat and conformance.TestCategory. */
const WIRE = 1;
const JSON_TEXT = 2;
const IGNORE_UNKNOWN = 3;

interface Request extends Message {
  readonly payload: { readonly case?: string; readonly value?: unknown };
  readonly requestedOutputFormat: number;
  readonly messageType: string;
  readonly testCategory: number;
}

interface Result {
  readonly case: string;
  readonly value: Uint8Array | string;
}

class Skipped extends Error {}
class Unreadable extends Error {}

const [descriptors = '', mode = ''] = process.argv.slice(2);
const { registry } = ProtoRegistry.load(descriptors);
const strict = compiledWays(registry);
const lenient = compiledWays(registry, { ignoresUnknown: true });
const REQUEST = messageNamed('conformance.ConformanceRequest');
const RESPONSE = messageNamed('conformance.ConformanceResponse');

for (let wire = nextRequest(); wire !== null; wire = nextRequest()) {
  const result = resultOf(fromBinary(REQUEST, wire) as Request);
  const answer = Buffer.from(toBinary(RESPONSE, create(RESPONSE, { result })));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(answer.length);
  writeAll(Buffer.concat([length, answer]));
}

function resultOf(request: Request): Result {
  // Asked once before the tests; nothing is expected to fail.
  if (request.messageType === 'conformance.FailureSet') {
    return { case: 'protobufPayload', value: new Uint8Array() };
  }
  try {
    return answerTo(request);
  } catch (error) {
    const value = String(error);
    if (error instanceof Skipped) return { case: 'skipped', value };
    return { case: error instanceof Unreadable ? 'parseError' : 'serializeError', value };
  }
}

function answerTo(request: Request): Result {
  const { payload, requestedOutputFormat: wanted } = request;
  const desc = messageNamed(request.messageType);
  const ways = request.testCategory === IGNORE_UNKNOWN ? lenient : strict;
  if (wanted !== WIRE && wanted !== JSON_TEXT) throw new Skipped('neither binary nor JSON');
  if (payload.case === 'jsonPayload') {
    const json = payload.value as string;
    return mode === 'direct'
      ? directFromJson(ways, desc, json, wanted)
      : written(
          ways,
          desc,
          read(() => ways.readJson(desc, json)),
          wanted,
        );
  }
  if (payload.case !== 'protobufPayload') throw new Skipped('neither binary nor JSON');
  const wire = payload.value as Uint8Array;
  // The runner tells what cannot be read from what cannot be written; a way from wire to JSON
  // does both at once.
  if (mode === 'direct' && wanted === JSON_TEXT) {
    read(() => ways.readWire(desc, wire));
    return { case: 'jsonPayload', value: ways.wireToJson(desc, wire) };
  }
  return written(
    ways,
    desc,
    read(() => ways.readWire(desc, wire)),
    wanted,
  );
}

function directFromJson(ways: Ways, desc: DescMessage, json: string, wanted: number): Result {
  const wire = read(() => ways.jsonToWire(desc, json));
  return wanted === WIRE
    ? { case: 'protobufPayload', value: wire }
    : { case: 'jsonPayload', value: ways.wireToJson(desc, wire) };
}

function written(ways: Ways, desc: DescMessage, message: Message, wanted: number): Result {
  return wanted === WIRE
    ? { case: 'protobufPayload', value: ways.writeWire(desc, message) }
    : { case: 'jsonPayload', value: ways.writeJson(desc, message) };
}

function read<T>(from: () => T): T {
  try {
    return from();
  } catch (error) {
    throw new Unreadable(String(error), { cause: error });
  }
}

function messageNamed(name: string): DescMessage {
  const desc = registry.getMessage(name);
  if (desc === undefined) throw new Error(`${name} is not in ${descriptors}`);
  return desc;
}

/** Null at the end of the input. */
function nextRequest(): Buffer | null {
  const length = readAll(4);
  return length === null ? null : readAll(length.readUInt32LE());
}

function readAll(count: number): Buffer | null {
  const bytes = Buffer.alloc(count);
  for (let at = 0; at < count;) {
    const got = readSync(0, bytes, at, count - at, null);
    if (got === 0) return null;
    at += got;
  }
  return bytes;
}

function writeAll(bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}
