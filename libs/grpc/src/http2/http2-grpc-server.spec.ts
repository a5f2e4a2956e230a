import 'reflect-metadata';
import { CALL_STAGE, type CallPeer, type CallStage, Code, StatusError } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import { type ServerDuplexStream, credentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Controller, Logger, Module } from '@nestjs/common';
import { GrpcMethod, GrpcStreamCall } from '@nestjs/microservices';
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { FRAME, frame, numberFrame } from '../../../../tools/testing/http2-frames.js';
import {
  RawHttp2,
  callHeaders,
  dataFrames,
  grpcMessage,
} from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import { boundSocket } from '../../../hostx/src/http/bound-socket.fixture.js';
import { call, clientOf, openCall, probe } from '../../../grpc-client/src/client.fixture.js';
import {
  CA_CERT,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
} from '../../../grpc-client/src/tls/certificates.fixture.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { type Text, probeApp } from '../probe.fixture.js';
import type { GrpcModuleOptions } from '../server/grpc-options.js';
import { resolveGrpcOptions } from '../server/grpc-options.js';
import { Http2GrpcServer } from './http2-grpc-server.js';
import { ListeningSocket } from './listening-socket.js';

const [Unary, , , BidiStream] = probe.services[0]!.methods;
const UNARY = '/apix.testdata.Probe/Unary';
const BIDI = '/apix.testdata.Probe/BidiStream';
const EMPTY = grpcMessage(Buffer.alloc(0));
/** No message of protobuf. */
const UNREADABLE = grpcMessage(Buffer.from([0xff, 0xff, 0xff]));

const uncaught: unknown[] = [];
const note = (error: unknown): void => void uncaught.push(error);
beforeAll(() => void process.on('uncaughtException', note).on('unhandledRejection', note));
afterAll(() => void process.off('uncaughtException', note).off('unhandledRejection', note));
afterEach(() => expect(uncaught.splice(0)).toEqual([]));

const entered = new AsyncLocalStorage<string>();
let handled: string[] = [];

@Controller()
class Handling {
  @GrpcMethod('Probe', 'Unary')
  unary({ stringValue }: Text): Text {
    handled.push(`Unary ${entered.getStore() ?? 'clean'}`);
    entered.enterWith('left behind');
    return { stringValue };
  }

  /** Answers a request with as many messages of 10,000 characters as it says, and never ends. */
  @GrpcStreamCall('Probe', 'BidiStream')
  bidiStream(stream: ServerDuplexStream<Text, Text>): void {
    handled.push('BidiStream');
    stream.on('data', ({ stringValue }: Text) => {
      for (let n = 0; n < Number(stringValue); n += 1) {
        stream.write({ stringValue: 'x'.repeat(10_000) });
      }
    });
    stream.on('cancelled', () => {
      handled.push('cancelled');
      throw new Error('a listener that throws');
    });
  }
}

async function serve(options: GrpcModuleOptions = {}, hooks: ReturnType<CallStage['bind']> = {}) {
  handled = [];
  const after = ['authz'];
  const stage: CallStage = { [CALL_STAGE]: true, name: 'check', after, bind: () => hooks };
  @Module({
    imports: [probeApp([Handling], { stack: 'http2', ...options })],
    providers: [{ provide: 'stage', useValue: stage }],
  })
  class App {}
  const { app, stop } = await startHost(App, { http: false });
  const server = app!.get(GrpcServer);
  const active = (): number => [...server.metrics()][0]!.value;
  return { server, port: server.port, active, stop };
}

const text = (value: string): Buffer =>
  grpcMessage(Buffer.concat([Buffer.from([0x72, value.length]), Buffer.from(value)]));

describe('a request whose head', () => {
  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
    ['has another method', { ':method': 'GET' }, { ':status': '405', allow: 'POST' }],
    ['has no content type', { 'content-type': '' }, { ':status': '415' }],
    ['is one of JSON', { 'content-type': 'application/json' }, { ':status': '415' }],
    ['is one of gRPC-Web', { 'content-type': 'application/grpc-web' }, { ':status': '415' }],
    ['has a deadline that is none', { 'grpc-timeout': '1 S' }, { 'grpc-status': '13' }],
    ['has a deadline of nine digits', { 'grpc-timeout': '100000000n' }, { 'grpc-status': '13' }],
    ['has a deadline that is over', { 'grpc-timeout': '0n' }, { 'grpc-status': '4' }],
    ['names a method that is not served', { ':path': '/a.B/C' }, { 'grpc-status': '12' }],
  ])('%s reaches no handler', async (_, headers, answer) => {
    const { port, active } = await serve();
    const raw = await RawHttp2.open(port);
    await raw.write(callHeaders(1, BIDI, headers));
    const outcome = await raw.outcome(1);
    expect(Object.fromEntries(outcome!.headers)).toMatchObject(answer);
    await raw.destroy();
    expect(active()).toBe(0);
    // A deadline of nothing ends what has begun.
    const begun = headers['grpc-timeout'] === '0n' ? ['BidiStream', 'cancelled'] : [];
    await until(() => handled.length === begun.length);
    expect(handled).toEqual(begun);
  });

  it.each(['application/grpc', 'application/grpc+proto', 'application/grpc;v=1'])(
    'is of the type %s is a call, with or without te',
    async (type) => {
      const { port } = await serve();
      const raw = await RawHttp2.open(port);
      const head = callHeaders(1, UNARY, { 'content-type': type, te: 'trailers' });
      await raw.write(head, ...dataFrames(1, text('a'), { end: true }));
      const { headers } = (await raw.outcome(1))!;
      expect(headers.get('grpc-status')).toBe('0');
      expect(headers.get('content-type')).toBe('application/grpc+proto');
      await raw.destroy();
    },
  );
});

describe('a call that a stage denies', () => {
  it.each<[string, () => void | Promise<void>]>([
    ['at once', () => denied()],
    ['later', async () => Promise.resolve().then(denied)],
  ])('%s has none of its messages decoded, and its stream is given back', async (_, onCall) => {
    const { port, active } = await serve({}, { onCall });
    const raw = await RawHttp2.open(port);
    for (const [stream, path] of [[1, UNARY] as const, [3, BIDI] as const]) {
      await raw.write(callHeaders(stream, path), ...dataFrames(stream, UNREADABLE));
      const outcome = await raw.outcome(stream);
      expect(outcome!.headers.get('grpc-status')).toBe(String(Code.PERMISSION_DENIED));
    }
    await raw.allRead();
    // It need not send the rest of its request (RFC 9113, 8.1).
    expect([raw.resets.get(1), raw.resets.get(3), raw.goaway]).toEqual([0, 0, undefined]);
    expect([handled, active()]).toEqual([[], 0]);
    await raw.destroy();
  });

  function denied(): never {
    throw new StatusError(Code.PERMISSION_DENIED, 'not you');
  }
});

it.each(['onCall', 'onMessage', 'onNoMessage', 'onSend', 'onEnd', 'within'] as const)(
  'a stage whose %s throws ends its call with a status, and no other call',
  async (hook) => {
    let throws = true;
    const failing = (): void => {
      if (throws) throw new Error('a stage that throws');
    };
    const within = (_: unknown, run: () => void): void => {
      failing();
      run();
    };
    const { server } = await serve({}, { [hook]: hook === 'within' ? within : failing });
    const client = clientOf(server.address);
    const requests = hook === 'onNoMessage' ? [] : [{ stringValue: '1' }];
    const method = hook === 'onNoMessage' ? BidiStream : Unary;
    const { status } = await call(client, method, requests);
    expect(status).toBe(hook === 'onEnd' ? 'OK' : 'INTERNAL');
    expect(handled).toHaveLength(hook === 'onSend' || hook === 'onEnd' ? 1 : 0);
    throws = false;
    expect((await call(client, Unary, [{ stringValue: 'b' }])).status).toBe('OK');
  },
);

it('a handler does not find what that of another call of its connection has entered', async () => {
  const { port } = await serve();
  const raw = await RawHttp2.open(port);
  const both = [1, 3].flatMap((id) => [
    callHeaders(id, UNARY),
    ...dataFrames(id, text('a'), { end: true }),
  ]);
  await raw.write(...both);
  await Promise.all([raw.outcome(1), raw.outcome(3)]);
  await raw.destroy();
  expect(handled).toEqual(['Unary clean', 'Unary clean']);
});

it('a long message is let in whole at once, but not before its call is admitted', async () => {
  const DEFAULT_WINDOW = 65_535;
  const bytes = grpcMessage(
    Buffer.concat([Buffer.from([0x72, 0x80, 0x89, 0x7a]), Buffer.alloc(2e6, 97)]),
  );
  let admit!: () => void;
  const admitted = new Promise<void>((resolve) => (admit = resolve));
  const { port } = await serve({}, { onCall: () => admitted });
  const raw = await RawHttp2.open(port);
  const [first, ...rest] = dataFrames(1, bytes, { end: true });
  await raw.write(callHeaders(1, UNARY), first!);
  await raw.allRead();
  expect(raw.windows.get(1)).toBeUndefined();
  admit();
  await until(() => raw.windows.has(1));
  // All of the message that the first window has no room for.
  expect(raw.windows.get(1)).toBe(bytes.length - DEFAULT_WINDOW);
  await raw.write(...rest);
  expect((await raw.outcome(1))!.headers.get('grpc-status')).toBe('0');
  expect(handled).toHaveLength(1);
  await raw.destroy();
});

it('a message beyond the limit is let in no further than the first window', async () => {
  const { port } = await serve({ maxReceiveBytes: 1_000_000 });
  const raw = await RawHttp2.open(port);
  const [first] = dataFrames(1, grpcMessage(Buffer.alloc(1_000_001)));
  await raw.write(callHeaders(1, UNARY), first!);
  const { headers } = (await raw.outcome(1))!;
  expect([headers.get('grpc-status'), raw.windows.get(1)]).toEqual(['8', undefined]);
  await raw.destroy();
});

describe('a client that', () => {
  const CALLS = 20;
  const ids = Array.from({ length: CALLS }, (_, n) => 2 * n + 1);

  it.each<[string, (raw: RawHttp2) => unknown]>([
    ['goes without reading its answers', (raw) => raw.destroy()],
    [
      'resets calls without reading their answers',
      (raw) => raw.write(...ids.map((id) => numberFrame(FRAME.rstStream, id, 8))),
    ],
    ['ends its connection', (raw) => raw.socket.end()],
  ])('%s leaves nothing behind', async (_, leave) => {
    const { port, active } = await serve();
    const raw = await RawHttp2.open(port, { reads: false });
    for (const id of ids) await raw.write(callHeaders(id, BIDI), ...dataFrames(id, text('30')));
    await until(() => handled.length === CALLS);
    expect(active()).toBe(CALLS);
    await leave(raw);
    await until(() => active() === 0 && handled.length === 2 * CALLS);
    await raw.destroy();
  });

  it('does not read gets its status at the deadline by a reset, and its call is over', async () => {
    const { port, active } = await serve();
    const raw = await RawHttp2.open(port, { reads: false });
    await raw.write(callHeaders(1, BIDI, { 'grpc-timeout': '300m' }));
    await raw.write(...dataFrames(1, text('30')));
    expect((await raw.outcome(1))!.reset).toBe(8);
    expect(active()).toBe(0);
    await raw.destroy();
  });

  it('floods is told to be calm, in one line of the log', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const { port, server } = await serve();
    const raw = await RawHttp2.open(port, { reads: false });
    const pings = Array.from({ length: 20_000 }, () => frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
    await raw.write(callHeaders(1, BIDI), ...pings);
    await raw.closed;
    await until(() => handled.includes('cancelled'));
    const lines = warned.mock.calls.map(String).filter((line) => line.includes('connection'));
    expect(lines).toEqual([
      expect.stringMatching(/^ended the connection of 127\.0\.0\.1: (?:too many|more answers)/),
    ]);
    warned.mockRestore();
    const client = clientOf(server.address);
    expect((await call(client, Unary, [{ stringValue: 'b' }])).status).toBe('OK');
  });
});

describe('a connection', () => {
  it('of its age takes no further calls, and is cut off after the grace', async () => {
    const { server, active } = await serve({ maxConnectionAge: 50, maxConnectionAgeGrace: 50 });
    const { answer } = openCall(clientOf(server.address), BidiStream!);
    expect((await answer).status).toBe('CANCELLED');
    await until(() => active() === 0);
    const raw = await RawHttp2.open(server.port);
    await raw.closed;
    expect(raw.goaway).toBe(0);
  });

  it('without calls for as long as it may be is closed, but not with one', async () => {
    const { port } = await serve({ maxConnectionIdle: 30 });
    const [idle, busy] = [await RawHttp2.open(port), await RawHttp2.open(port)];
    await busy.write(callHeaders(1, BIDI));
    await idle.closed;
    expect([idle.goaway, busy.goaway]).toEqual([0, undefined]);
    await busy.write(numberFrame(FRAME.rstStream, 1, 8));
    await busy.closed;
    expect(busy.goaway).toBe(0);
  });

  it('is drained: its calls end, idle ones and handshakes are not waited for', async () => {
    const { server, port, stop } = await serve({ tls: { cert: SERVER_CERT, key: SERVER_KEY } });
    const secure = credentials.createSsl(Buffer.from(CA_CERT));
    const { stream, answer } = openCall(clientOf(`localhost:${port}`, secure), BidiStream!);
    stream.write({ stringValue: '1' });
    await new Promise((resolve) => stream.once('data', resolve));
    const silent = await RawHttp2.open(port, { secure: true });
    await silent.allRead();
    const stopped = stop();
    await silent.closed;
    stream.cancel();
    expect((await answer).status).toBe('CANCELLED');
    await stopped;
    expect(server.port).toBe(port);
  });

  it('of TLS is one of HTTP/2, or none', async () => {
    const { port } = await serve({ tls: { cert: SERVER_CERT, key: SERVER_KEY } });
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
    for (const ALPNProtocols of [undefined, ['http/1.1']]) {
      const socket = connect({ ...options, ...(ALPNProtocols && { ALPNProtocols }) });
      socket.on('error', () => {}).resume();
      await new Promise((resolve) => socket.once('close', resolve));
    }
    const raw = await RawHttp2.open(port, { secure: true });
    await raw.allRead();
    await raw.destroy();
  });
});

it('a call has the certificate and the address of its client as over grpc-js', async () => {
  const tls = { cert: SERVER_CERT, key: SERVER_KEY, clientCa: CA_CERT };
  const secrets = [CA_CERT, CLIENT_KEY, CLIENT_CERT].map((pem) => Buffer.from(pem));
  const peers: CallPeer[] = [];
  for (const stack of ['grpc-js', 'http2'] as const) {
    const onCall = ({ peer }: { readonly peer: CallPeer }): void => void peers.push(peer);
    const { port } = await serve({ tls, stack }, { onCall });
    const client = clientOf(`localhost:${port}`, credentials.createSsl(...secrets));
    expect((await call(client, Unary, [{ stringValue: 'a' }])).status).toBe('OK');
  }
  const [first, second] = peers;
  expect(first!.certificate?.subject).toMatchObject({ OU: ['staff', 'admin'] });
  expect(second!.certificate).toEqual(first!.certificate);
  expect(second!.address).toMatch(/^(?:127\.0\.0\.1|::1|::ffff:127\.0\.0\.1):\d+$/);
});

describe.each(['grpc-js', 'http2'] as const)('a server over %s', (stack) => {
  it('listens at a Unix socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'apix-grpc-'));
    const { server } = await serve({ stack, host: `unix:${join(folder, 'a.sock')}` });
    expect([server.port, server.address]).toEqual([0, `unix:${join(folder, 'a.sock')}`]);
    const client = clientOf(server.address);
    expect((await call(client, Unary, [{ stringValue: 'a' }])).status).toBe('OK');
    client.close();
    rmSync(folder, { recursive: true });
  });

  it('says where it cannot listen', async () => {
    const { port } = await serve({ stack });
    const taken = `grpc: cannot listen at 127.0.0.1:${port}; check that no other process uses it: `;
    await expect(serve({ stack, port })).rejects.toThrow(taken);
  });
});

it('a socket that was passed to the process is served', async () => {
  const socket = boundSocket();
  const options = resolveGrpcOptions({ stack: 'http2', activation: false });
  const parts = { stages: jest.fn(), describe: () => undefined, onMisuse: () => {} };
  const server = new Http2GrpcServer(options, parts as never);
  const target = { target: { fd: socket.fd }, failure: 'cannot listen' };
  const listening = await ListeningSocket.open(options, server, target);
  expect(listening.port).toBe(socket.port);
  const raw = await RawHttp2.open(socket.port);
  await raw.write(callHeaders(1, UNARY));
  expect((await raw.outcome(1))!.headers.get('grpc-status')).toBe('12');
  await raw.destroy();
  const signal = AbortSignal.timeout(20_000);
  expect(await listening.drain({ signal, remainingMs: () => 20_000 })).toBe(true);
  socket.close();
});

it('messages that arrive in any pieces are the same messages', async () => {
  const { port } = await serve();
  const raw = await RawHttp2.open(port);
  const all = Buffer.concat([text('1'), EMPTY, text('2'), text('0'), text('1')]);
  for (const [n, each] of [1, 2, 3, 7, 1_000].entries()) {
    const id = 2 * n + 1;
    await raw.write(callHeaders(id, BIDI), ...dataFrames(id, all, { each, end: true }));
  }
  // Four answers of 10,007 bytes for each of them.
  let received = 0;
  raw.socket.on('data', (data: Buffer) => (received += data.length));
  await until(() => received >= 5 * 4 * 10_007);
  await raw.destroy();
});
