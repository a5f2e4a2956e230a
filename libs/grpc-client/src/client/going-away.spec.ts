import 'reflect-metadata';
import { type StartedHost, startHost } from '@apix/hostx/testing';
import type { Metadata, ServerUnaryCall } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { type Observable, concat, defer, firstValueFrom, map, of, take, toArray } from 'rxjs';
import { until } from '../../../../tools/testing/until.js';
import { GrpcServer } from '../../../grpc/src/nest/grpc-server.js';
import { type Text, probeApp } from '../../../grpc/src/probe.fixture.js';
import type { GrpcModuleOptions } from '../../../grpc/src/server/grpc-options.js';
import { CA_CERT, SERVER_CERT, SERVER_KEY } from '../tls/certificates.fixture.js';
import type { Client } from './client-types.js';
import { type ClientInit, channelOf } from './create-client.js';
import { type Kinds, type ProbeService, probeClient } from './probe-service.fixture.js';

const PING_MS = 50;
const AGE_MS = 300;
/** In which pings are due, many times over. */
const PINGS_MS = 8 * PING_MS;

/** Opened by a test once its calls may end; a call to anything but `slow` does not wait. */
let gate: Promise<void>;
let openGate: () => void;
/** Calls that have reached their handlers. */
let begun: number;
/** The connections that calls came over. */
let peers: Set<string>;

const opened = <T>(text: T): Observable<T> => defer(() => gate.then(() => text));

@Controller()
class SlowController {
  @GrpcMethod('apix.testdata.Probe', 'Unary')
  unary(text: Text, _metadata: Metadata, call: ServerUnaryCall<Text, Text>): Observable<Text> {
    peers.add(call.getPeer());
    if (text.stringValue !== 'slow') return of(text);
    begun += 1;
    return opened(text);
  }

  @GrpcMethod('Probe', 'ServerStream')
  serverStream(text: Text): Observable<Text> {
    begun += 1;
    return concat(of({ stringValue: 'first' }), opened(text));
  }

  @GrpcStreamMethod('Probe', 'ClientStream')
  async clientStream(texts: Observable<Text>): Promise<Text> {
    begun += 1;
    const all = await firstValueFrom(texts.pipe(toArray()));
    return { stringValue: all.map(({ stringValue }) => stringValue).join(' ') };
  }

  @GrpcStreamMethod('Probe', 'BidiStream')
  bidiStream(texts: Observable<Text>): Observable<Text> {
    begun += 1;
    return texts.pipe(
      take(2),
      map(({ stringValue }) => ({ stringValue: `${stringValue}!` })),
    );
  }
}

async function* slowTexts(): AsyncGenerator<{ stringValue: string }> {
  yield { stringValue: 'first' };
  await gate;
  yield { stringValue: 'slow' };
}

async function textsOf(answers: AsyncIterable<Kinds>): Promise<string> {
  const texts: string[] = [];
  for await (const { stringValue } of answers) texts.push(stringValue);
  return texts.join(' ');
}

const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A call of each kind, as texts, or as the error that it ends with. */
function callAll(client: Client<ProbeService>): Promise<readonly unknown[]> {
  const calls = [
    client.unary({ stringValue: 'slow' }).then(({ stringValue }) => stringValue),
    textsOf(client.serverStream({ stringValue: 'slow' })),
    client.clientStream(slowTexts()).then(({ stringValue }) => stringValue),
    textsOf(client.bidiStream(slowTexts())),
  ];
  return Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
}

const ALL_WELL = ['slow', 'first slow', 'first slow', 'first! slow!'];

interface Setup {
  readonly isSecure?: boolean;
  /** Which end. */
  readonly pinging?: 'client' | 'server' | 'both';
  readonly options?: GrpcModuleOptions;
  readonly init?: Partial<ClientInit<ProbeService>>;
}

interface Ends {
  readonly client: Client<ProbeService>;
  readonly host: StartedHost;
}

const PINGED = { 'grpc.keepalive_time_ms': PING_MS };
const TLS = { cert: SERVER_CERT, key: SERVER_KEY };

async function connected(
  stack: 'grpc-js' | 'http2',
  { isSecure = false, pinging = 'both', options = {}, init = {} }: Setup = {},
): Promise<Ends> {
  gate = new Promise((resolve) => (openGate = resolve));
  begun = 0;
  peers = new Set();
  const isPinging = (end: string): boolean => pinging === end || pinging === 'both';
  const app = probeApp([SlowController], {
    ...options,
    ...(isSecure && { tls: TLS }),
    keepAlive: { interval: isPinging('server') ? PING_MS : 0 },
  });
  const host = await startHost(app, { http: false });
  const endpoint = `localhost:${host.app!.get(GrpcServer).port}`;
  const client = probeClient({ endpoint }, 'network', {
    stack,
    timeout: '30s',
    ...init,
    ...(isSecure && { tls: { ca: CA_CERT } }),
    channelOptions: isPinging('client') ? PINGED : {},
  });
  return { client, host };
}

describe.each(['grpc-js', 'http2'] as const)('a connection over %s that goes away', (stack) => {
  it.each([
    ['the client pings', 'client', false],
    ['the client pings over TLS', 'client', true],
    ['the server pings', 'server', false],
    ['the server pings over TLS', 'server', true],
    ['both ping', 'both', false],
  ] as const)('by its age keeps the calls under way while %s', async (_, pinging, isSecure) => {
    const options = { maxConnectionAge: AGE_MS };
    const { client } = await connected(stack, { isSecure, pinging, options });
    const calls = callAll(client);
    await until(() => begun === 4 && channelOf(client).state !== 'ready');
    await pass(PINGS_MS);
    openGate();
    expect(await calls).toEqual(ALL_WELL);
  });

  it('with a server that drains keeps the calls under way while both ping', async () => {
    const { client, host } = await connected(stack);
    const calls = callAll(client);
    await until(() => begun === 4);
    const stopped = host.stop();
    await until(() => channelOf(client).state !== 'ready');
    await pass(PINGS_MS);
    openGate();
    expect(await calls).toEqual(ALL_WELL);
    expect(await stopped).toBeUndefined();
  });
});

it.each([
  ['grpc-js', {}],
  ['http2', {}],
  ['grpc-js', { retry: { initialBackoff: '1ms' }, methods: { unary: { idempotent: true } } }],
] as const)(
  'a client over %s with %j loses none of the calls that come all the time',
  async (stack, init) => {
    const { client } = await connected(stack, { init, options: { maxConnectionAge: AGE_MS } });
    const slow = callAll(client);
    const failures: unknown[] = [];
    const over = new AbortController();
    const caller = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await client.unary({ stringValue: 'quick' }).catch((error) => failures.push(error));
      }
    };
    const callers = Array.from({ length: 4 }, caller);
    await until(() => begun === 4);
    await pass(4 * AGE_MS);
    over.abort();
    await Promise.all(callers);
    openGate();
    expect(await slow).toEqual(ALL_WELL);
    expect(failures).toEqual([]);
    expect(peers.size).toBeGreaterThan(2);
  },
);
