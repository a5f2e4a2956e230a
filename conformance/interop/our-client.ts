import { randomBytes } from 'node:crypto';
import { Code, StatusError, isStatusError } from '@apix/contracts';
import { type ClientInit, channelOf, createClient, uncompressed } from '@apix/grpc-client/core';
import type { Client } from '@apix/grpc-client/core';
import assert from 'node:assert/strict';
import type { Algorithm } from './cases.js';
import { COUNTS } from './counts.js';
import {
  INITIAL_KEY,
  type OutputResponse,
  type SimpleResponse,
  TRAILING_KEY,
  type TestService,
  loadServices,
  zeros,
} from './test-service.js';

type Where = Pick<ClientInit<TestService>, 'endpoint' | 'tls' | 'stack'>;

/** What a request says of how it and its response are sent. */
interface Compression {
  readonly expectCompressed?: { readonly value: boolean };
  readonly responseCompressed?: { readonly value: boolean };
}

/** What a case is run with. */
export interface Run {
  readonly where: Where;
  readonly descriptors: string;
  readonly algorithm: Algorithm;
  /** Whether the server can tell whether a request was compressed: C-core's Python cannot. */
  readonly serverProbes: boolean;
}

const REQUEST_SIZES = [27_182, 8, 1_828, 45_904] as const;
const RESPONSE_SIZES = [31_415, 9, 2_653, 58_979] as const;
const LARGE_RESPONSE = 314_159;
/** A response that the server is still busy with when it is cancelled: at the end of the requests it would be done. */
const BUSY = { size: 1, intervalUs: 3_000_000 };
const SPECIAL = '\t\ntest with whitespace\r\nand Unicode BMP ☺ and non-BMP \u{1f608}\t\n';
const INITIAL = 'test_initial_metadata_value';
const TRAILING = Buffer.from([0xab, 0xab, 0xab]);

const large = (more: Compression = {}) => ({
  responseSize: LARGE_RESPONSE,
  payload: zeros(271_828),
  ...more,
});
const output = (size: number, payload: number) => ({
  responseParameters: [{ size }],
  payload: zeros(payload),
});

function checkLarge({ payload }: SimpleResponse): void {
  assert.equal(payload?.body.length, LARGE_RESPONSE);
  assert.ok(payload.body.every((byte) => byte === 0));
}

async function sizesOf(responses: AsyncIterable<OutputResponse>): Promise<number[]> {
  const sizes: number[] = [];
  for await (const { payload } of responses) sizes.push(payload?.body.length ?? 0);
  return sizes;
}

async function failure(call: Promise<unknown>, code: Code, message?: string): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(isStatusError(error), `expected a StatusError, got ${String(error)}`);
  assert.equal(Code[error.code], Code[code], error.message);
  if (message !== undefined) assert.equal(error.message, message);
}

type Case = (client: Client<TestService>, run: Run) => Promise<void>;

/** Runs a case with a client whose requests are compressed. */
function compressing(run: (client: Client<TestService>, run: Run) => Promise<void>): Case {
  return async (_, given) => {
    const { algorithm: compression } = given;
    await withClient(given, { compression }, (client) => run(client, given));
  };
}

async function withClient(
  { where, descriptors }: Run,
  more: Partial<ClientInit<TestService>>,
  use: (client: Client<TestService>) => Promise<void>,
): Promise<void> {
  const { TestService } = loadServices(descriptors);
  const client = createClient<TestService>(TestService, { ...where, ...more });
  try {
    await use(client);
  } finally {
    await channelOf(client).close();
  }
}

/** The probe of a server that can tell; else the same call, which it takes. */
async function probe({ serverProbes }: Run, call: Promise<unknown>): Promise<void> {
  await (serverProbes ? failure(call, Code.INVALID_ARGUMENT) : call);
}

const OUR_CASES: Readonly<Record<string, Case>> = {
  async empty_unary(client) {
    assert.deepEqual(Object.keys(await client.emptyCall({})), ['$typeName']);
  },
  async large_unary(client) {
    checkLarge(await client.unaryCall(large()));
  },
  client_compressed_unary: compressing(async (client, run) => {
    const expected = large({ expectCompressed: { value: true } });
    await probe(run, client.unaryCall(expected, { compress: false }));
    checkLarge(await client.unaryCall(expected));
    checkLarge(await client.unaryCall(uncompressed(large({ expectCompressed: { value: false } }))));
  }),
  async server_compressed_unary(client, { algorithm }) {
    for (const value of [true, false]) {
      const request = large({ responseCompressed: { value } });
      checkLarge(await client.unaryCall(request, { headers: { 'x-compression': algorithm } }));
    }
  },
  async client_streaming(client) {
    const requests = REQUEST_SIZES.map((size) => ({ payload: zeros(size) }));
    const { aggregatedPayloadSize } = await client.streamingInputCall(requests);
    assert.equal(aggregatedPayloadSize, 74_922);
  },
  client_compressed_streaming: compressing(async (client, run) => {
    const compressed = { expectCompressed: { value: true }, payload: zeros(27_182) };
    await probe(run, client.streamingInputCall([uncompressed({ ...compressed })]));
    const plain = uncompressed({
      expectCompressed: { value: false },
      payload: { body: randomBytes(45_904) },
    });
    const { aggregatedPayloadSize } = await client.streamingInputCall([compressed, plain]);
    assert.equal(aggregatedPayloadSize, 73_086);
  }),
  async server_streaming(client) {
    const responseParameters = RESPONSE_SIZES.map((size) => ({ size }));
    assert.deepEqual(await sizesOf(client.streamingOutputCall({ responseParameters })), [
      ...RESPONSE_SIZES,
    ]);
  },
  async server_compressed_streaming(client, { algorithm }) {
    const responseParameters = [
      { size: 31_415, compressed: { value: true } },
      { size: 92_653, compressed: { value: false } },
    ];
    const headers = { 'x-compression': algorithm };
    const responses = client.streamingOutputCall({ responseParameters }, { headers });
    assert.deepEqual(await sizesOf(responses), [31_415, 92_653]);
  },
  async ping_pong(client) {
    const sizes: number[] = [];
    let answered = (): void => {};
    async function* requests() {
      for (const [at, size] of RESPONSE_SIZES.entries()) {
        const answer = new Promise<void>((resolve) => (answered = resolve));
        yield output(size, REQUEST_SIZES[at]!);
        await answer;
      }
    }
    for await (const { payload } of client.fullDuplexCall(requests())) {
      sizes.push(payload?.body.length ?? 0);
      answered();
    }
    assert.deepEqual(sizes, [...RESPONSE_SIZES]);
  },
  async empty_stream(client) {
    assert.deepEqual(await sizesOf(client.fullDuplexCall([])), []);
  },
  async custom_metadata(client) {
    const seen: unknown[] = [];
    const options = {
      headers: { [INITIAL_KEY]: INITIAL, [TRAILING_KEY]: TRAILING },
      onHeaders: (headers: SeenMetadata) => seen.push(headers.get(INITIAL_KEY)[0]),
      onTrailers: (trailers: SeenMetadata) => seen.push(trailers.get(TRAILING_KEY)[0]),
    };
    checkLarge(await client.unaryCall(large(), options));
    const responses = client.fullDuplexCall([output(LARGE_RESPONSE, 271_828)], options);
    assert.deepEqual(await sizesOf(responses), [LARGE_RESPONSE]);
    assert.deepEqual(seen, [INITIAL, TRAILING, INITIAL, TRAILING]);
  },
  async status_code_and_message(client) {
    const responseStatus = { code: 2, message: 'test status message' };
    const { message } = responseStatus;
    await failure(client.unaryCall({ responseStatus }), Code.UNKNOWN, message);
    await failure(sizesOf(client.fullDuplexCall([{ responseStatus }])), Code.UNKNOWN, message);
  },
  async special_status_message(client) {
    const responseStatus = { code: 2, message: SPECIAL };
    await failure(client.unaryCall({ responseStatus }), Code.UNKNOWN, SPECIAL);
  },
  async unimplemented_method(client) {
    await failure(client.unimplementedCall({}), Code.UNIMPLEMENTED);
  },
  async unimplemented_service(_, { where, descriptors }) {
    const client = createClient(loadServices(descriptors).UnimplementedService, where);
    await failure(client.unimplementedCall({}), Code.UNIMPLEMENTED);
    await channelOf(client).close();
  },
  async cancel_after_begin(client) {
    const cancel = new AbortController();
    async function* nothing() {
      await new Promise((resolve) => cancel.signal.addEventListener('abort', resolve));
      yield* [];
    }
    const call = client.streamingInputCall(nothing(), { signal: cancel.signal });
    cancel.abort();
    await failure(call, Code.CANCELLED);
  },
  async cancel_after_first_response(client) {
    const cancel = new AbortController();
    async function* one() {
      yield { ...output(31_415, 27_182), responseParameters: [{ size: 31_415 }, BUSY] };
      await new Promise((resolve) => cancel.signal.addEventListener('abort', resolve));
    }
    const responses = client.fullDuplexCall(one(), { signal: cancel.signal });
    const { value } = await responses.next();
    assert.equal(value?.payload?.body.length, 31_415);
    cancel.abort();
    await failure(responses.next(), Code.CANCELLED);
  },
  async timeout_on_sleeping_server(client) {
    const late = new AbortController();
    async function* one() {
      yield { payload: zeros(27_182) };
      await new Promise((resolve) => late.signal.addEventListener('abort', resolve));
    }
    const responses = client.fullDuplexCall(one(), { timeout: 1 });
    await failure(responses.next(), Code.DEADLINE_EXCEEDED);
    late.abort();
  },
  async concurrent_large_unary(client) {
    const calls = Array.from({ length: COUNTS.concurrent }, () => client.unaryCall(large()));
    for (const response of await Promise.all(calls)) checkLarge(response);
  },
  async rpc_soak(client) {
    for (let n = 0; n < COUNTS.rpcSoak; n += 1) checkLarge(await client.unaryCall(large()));
  },
  async channel_soak(_, run) {
    for (let n = 0; n < COUNTS.channelSoak; n += 1) {
      await withClient(run, {}, async (client) => checkLarge(await client.unaryCall(large())));
    }
  },
};

interface SeenMetadata {
  get(key: string): readonly unknown[];
}

/** Runs a case with our client. @throws Error that says what is wrong. */
export async function runOurs(name: string, run: Run): Promise<void> {
  const found = OUR_CASES[name];
  if (found === undefined) throw new StatusError(Code.NOT_FOUND, `no case ${name}`);
  await withClient(run, {}, (client) => found(client, run));
}
