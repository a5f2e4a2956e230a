import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonValue, fromBinary, fromJson, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { parse } from 'yaml';
import { type Configuration, Mode, Stream, axesOf } from './axes.js';
import {
  type ClientCall,
  type TestCase,
  type TestSuite,
  type UnaryRequest,
  SERVICE,
  TestSuiteSchema,
  messageOf,
  registry,
} from './schema.js';

/** The largest message that a server takes, in bytes: the number of the official runner. */
export const SERVER_LIMIT = 200 * 1024;

/** A case, and the way in which it is called. */
export interface Permutation {
  /** As the official runner names it. */
  readonly name: string;
  readonly way: Configuration;
  readonly test: TestCase;
  readonly call: ClientCall;
  readonly method: string;
}

export function readSuites(folder: string): TestSuite[] {
  const cases = join(folder, 'cases');
  return readdirSync(cases)
    .filter((file) => file.endsWith('.yaml'))
    .toSorted()
    .map((file) => {
      const json = parse(readFileSync(join(cases, file), 'utf8')) as JsonValue;
      try {
        const suite = fromJson(TestSuiteSchema, json, { registry });
        for (const test of suite.testCases) padRequests(test);
        return suite;
      } catch (error) {
        throw new Error(`${file} cannot be read as a suite`, { cause: error });
      }
    });
}

/** All cases of the suites in all ways in which they apply. */
export function expand(
  suites: readonly TestSuite[],
  ways: readonly Configuration[],
  mode: Mode,
): Permutation[] {
  const all = suites
    .filter((suite) => suite.mode === 0 || suite.mode === mode)
    .flatMap((suite) =>
      ways.filter((way) => applies(suite, way)).flatMap((way) => cases(suite, way)),
    );
  const names = new Set(all.map(({ name }) => name));
  if (names.size < all.length) throw new Error('two cases of the suite have the same name');
  return all;
}

/** The official runner computes no way in which a server insists on the version's header or ignores it. */
function applies(suite: TestSuite, way: Configuration): boolean {
  const among = (relevant: readonly number[], value: number): boolean =>
    relevant.length === 0 || relevant.includes(value);
  return (
    among(suite.relevantHttpVersions, way.version) &&
    among(suite.relevantProtocols, way.protocol) &&
    among(suite.relevantCodecs, way.codec) &&
    among(suite.relevantCompressions, way.compression) &&
    (way.isTls || !suite.reliesOnTls) &&
    suite.reliesOnTlsClientCerts === way.hasClientCertificate &&
    suite.reliesOnConnectGet === way.usesGet &&
    suite.reliesOnMessageReceiveLimit === way.hasReceiveLimit &&
    suite.connectVersionMode === 0
  );
}

function cases(suite: TestSuite, way: Configuration): Permutation[] {
  const axes = axesOf(way, {
    version: suite.relevantHttpVersions.length === 1,
    protocol: suite.relevantProtocols.length === 1,
    codec: suite.relevantCodecs.length === 1,
    compression: suite.relevantCompressions.length === 1,
    tls: suite.reliesOnTls,
  });
  return suite.testCases
    .filter(({ request }) => request?.streamType === way.stream)
    .map((test) => {
      const call = test.request!;
      const name = [suite.name, ...axes, call.testName].join('/');
      if (call.service !== undefined && call.service !== SERVICE) {
        throw new Error(`${name} calls ${call.service}, which is unknown`);
      }
      return { name, way, test, call, method: call.method ?? METHODS[way.stream] };
    });
}

const METHODS: Readonly<Record<Stream, string>> = {
  [Stream.unary]: 'Unary',
  [Stream.client]: 'ClientStream',
  [Stream.server]: 'ServerStream',
  [Stream.halfDuplex]: 'BidiStream',
  [Stream.fullDuplex]: 'BidiStream',
};

/** Pads messages to sizes that are given relative to the server's limit. */
function padRequests({ request, expandRequests }: TestCase): void {
  expandRequests.forEach(({ sizeRelativeToLimit }, at) => {
    if (sizeRelativeToLimit === undefined) return;
    const packed = request!.requestMessages[at]!;
    const schema = messageOf(packed.typeUrl.split('/').at(-1)!);
    const message = fromBinary(schema, packed.value) as UnaryRequest;
    const wanted = SERVER_LIMIT + sizeRelativeToLimit;
    // The length of the field itself takes bytes, too: the second round corrects by them.
    for (let round = 0; round < 3; round++) {
      const missing = wanted - toBinary(schema, message).length;
      const padded = new Uint8Array(message.requestData.length + missing);
      padded.set(message.requestData.subarray(0, padded.length));
      message.requestData = padded;
    }
    if (toBinary(schema, message).length !== wanted) throw new Error('a message cannot be padded');
    request!.requestMessages[at] = anyPack(schema, message);
  });
}
