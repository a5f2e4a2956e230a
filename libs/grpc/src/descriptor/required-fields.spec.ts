import { stageInterceptor } from '@apix/calls/grpc';
import { CALL_STAGE, type CallStage, codeName, isStatusError } from '@apix/contracts';
import { type DescMessage, type Message, create, toBinary } from '@bufbuild/protobuf';
import type { GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';
import { Client as RawClient, Server, type UntypedHandleCall, credentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { needy } from '../../../proto/src/message/needy.fixture.js';
import { boundPort } from '../../../grpc-client/src/bound-port.fixture.js';
import { channelOf, createClient } from '../../../grpc-client/src/client/create-client.js';
import {
  TRANSPORTS,
  failureOfCall,
} from '../../../grpc-client/src/client/probe-service.fixture.js';
import { CallableServer } from '../in-process/callable-server.js';
import { InProcessEntry } from '../in-process/in-process-entry.js';
import { serviceDefinition } from './service-definition.js';

type Order = Message<'needy.Order'> & { orderName: string; note: string };
type In = GenMessage<Order>;
const Orders = needy.services[0] as unknown as GenService<{
  put: { methodKind: 'unary'; input: In; output: In };
  watch: { methodKind: 'server_streaming'; input: In; output: In };
  sum: { methodKind: 'client_streaming'; input: In; output: In };
  talk: { methodKind: 'bidi_streaming'; input: In; output: In };
}>;
const Order: DescMessage = needy.registry.getMessage('needy.Order')!;
const { Put, Watch, Sum, Talk } = serviceDefinition(Orders);

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0).toReversed()) close();
});

const named = (): Message => create(Order, { orderName: 'a' });
/** `note: "n"`, and not its name. */
const NAMELESS = Buffer.from([0x3a, 1, 0x6e]);

interface Handled {
  readonly requests: unknown[];
  /** How calls ended. */
  readonly ends: string[];
  readonly endpoint: string;
  readonly entry: InProcessEntry;
}

type Respond = (error: null, value: unknown) => void;
interface Call {
  readonly request: unknown;
  on(event: string, listener: (message: unknown) => void): void;
  write(message: unknown): void;
  end(): void;
}

/** A server of ours, whose handlers answer with a message. */
async function serveOrders(answer: () => unknown = named): Promise<Handled> {
  const ends: string[] = [];
  const watch: CallStage = {
    [CALL_STAGE]: true,
    name: 'watch',
    bind: () => ({
      onEnd: (_call, { code }) => void ends.push(codeName(code)),
    }),
  };
  const interceptors = [stageInterceptor([watch], () => undefined)];
  const server = new CallableServer({ interceptors }, (path) => needy.method(path));
  const requests: unknown[] = [];
  const handlers = {
    Put: ({ request }: Call, respond: Respond) => {
      requests.push(request);
      respond(null, answer());
    },
    Watch: (call: Call) => {
      requests.push(call.request);
      call.write(answer());
      call.end();
    },
    Sum: (call: Call, respond: Respond) => {
      call.on('data', (request) => requests.push(request));
      call.on('error', () => {});
      call.on('end', () => respond(null, answer()));
    },
    Talk: (call: Call) => {
      call.on('data', (request) => {
        requests.push(request);
        call.write(answer());
      });
      call.on('error', () => {});
      call.on('end', () => call.end());
    },
  };
  server.addService(
    serviceDefinition(Orders),
    handlers as unknown as Record<string, UntypedHandleCall>,
  );
  const entry = new InProcessEntry();
  const port = await boundPort(server);
  entry.serve(server);
  open.push(() => server.forceShutdown());
  return { requests, ends, endpoint: `127.0.0.1:${port}`, entry };
}

/** A server that answers with bytes, whatever they are. */
async function serveBytes(answer: Buffer): Promise<string> {
  const server = new Server();
  const bytes = (it: Buffer): Buffer => it;
  const definition = Object.fromEntries(
    Object.entries({ Put: Put!, Watch: Watch! }).map(([name, method]) => [
      name,
      { ...method, responseSerialize: bytes, requestDeserialize: bytes },
    ]),
  );
  const handlers = {
    Put: (_call: Call, respond: Respond) => respond(null, answer),
    Watch: (call: Call) => {
      call.write(answer);
      call.end();
    },
  };
  server.addService(definition, handlers as unknown as Record<string, UntypedHandleCall>);
  const port = await boundPort(server);
  open.push(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

function clientOf(endpoint: string | InProcessEntry, transport: (typeof TRANSPORTS)[number]) {
  const client = createClient(Orders, {
    ...(typeof endpoint === 'string' ? { endpoint } : { server: endpoint }),
    ...(transport === 'http2' && { stack: 'http2' }),
  });
  open.push(
    () => void channelOf(client).close({ signal: AbortSignal.abort(), remainingMs: () => 0 }),
  );
  return client;
}

/** Sends bytes as a request, as a client of another language does that does not look at them. */
function send(handled: Handled, isLocal: boolean, path: string, messages: readonly Buffer[]) {
  const bytes = (it: Buffer): Buffer => it;
  const interceptors = isLocal ? [handled.entry.clientInterceptor()] : [];
  const client = new RawClient(handled.endpoint, credentials.createInsecure(), { interceptors });
  open.push(() => client.close());
  const stream = client.makeBidiStreamRequest(path, bytes, bytes);
  stream.on('error', () => {}).resume();
  for (const message of messages) stream.write(message);
  stream.end();
  return new Promise<string>((resolve) => {
    stream.on('status', ({ code, details }: { code: number; details: string }) =>
      resolve(`${codeName(code)}: ${details}`),
    );
  });
}

async function collect(answers: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of answers);
}

async function told(call: PromiseLike<unknown>): Promise<string> {
  const error = await failureOfCall(call);
  expect(isStatusError(error)).toBe(true);
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  return isStatusError(error) ? `${codeName(error.code)}: ${why}` : '';
}

describe.each([
  ['over the network', false],
  ['in-process', true],
])('a server, called %s,', (_, isLocal) => {
  it.each([Put, Watch, Sum, Talk].map((method) => [method!.path]))(
    'does not take a request without a required field at %s',
    async (path) => {
      const handled = await serveOrders();
      expect(await send(handled, isLocal, path, [NAMELESS])).toMatch(
        /^INTERNAL: Error deserializing request/,
      );
      expect(handled.requests).toEqual([]);
      const whole = Buffer.from(toBinary(Order, named()));
      expect(await send(handled, isLocal, path, [whole])).toBe('OK: OK');
      expect(handled.requests).toEqual([named()]);
    },
  );
});

describe.each(TRANSPORTS)('a client, %s,', (transport) => {
  it('does not send a request without a required field', async () => {
    const { endpoint, entry, requests } = await serveOrders();
    const client = clientOf(transport === 'in-process' ? entry : endpoint, transport);
    const why = /INTERNAL: .*needy\.Order\.orderName: a required field that is not set/;
    expect(await told(client.put({ note: 'n' }))).toMatch(why);
    expect(await told(collect(client.watch({ note: 'n' })))).toMatch(why);
    expect(requests).toEqual([]);
  });

  it('gets an error for an answer of a handler without one', async () => {
    const { endpoint, entry, ends } = await serveOrders(() => create(Order));
    const client = clientOf(transport === 'in-process' ? entry : endpoint, transport);
    expect(await told(client.put({ orderName: 'a' }))).toMatch(/^INTERNAL/);
    expect(await told(collect(client.watch({ orderName: 'a' })))).toMatch(/^INTERNAL/);
    expect(ends).toEqual(['INTERNAL', 'INTERNAL']);
  });
});

describe.each(['network', 'http2'] as const)('a client, %s,', (transport) => {
  it('does not take an answer without a required field', async () => {
    const client = clientOf(await serveBytes(NAMELESS), transport);
    const why = /^INTERNAL: .*not a needy\.Order: the required field \$\.orderName is not set/;
    expect(await told(client.put({ orderName: 'a' }))).toMatch(why);
    expect(await told(collect(client.watch({ orderName: 'a' })))).toMatch(why);
  });
});
