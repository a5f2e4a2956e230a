import type { IncomingMessage } from 'node:http';
import type { Call, CallHead, CallListener } from '@apix/calls';
import { Metadata, status as Code } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Ask, ask, serve } from '../fixtures/serve.fixture.js';
import type { Upstream } from '../upstream/upstream.js';
import { Gateway } from './gateway.js';
import { framed } from './protocols/message-frames.js';

const MIB = 1024 * 1024;

interface StubCall {
  readonly path: string;
  /** Whether its request has been sent. */
  isSent: boolean;
  end(code: Code): void;
}

/** A server on a network that says nothing of its own accord. */
class SilentUpstream implements Upstream {
  readonly target = 'stub';
  readonly isSecure = false;
  readonly state = 'ready';
  readonly calls: StubCall[] = [];

  open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
  ): Call {
    const call: StubCall = {
      path: head.path,
      isSent: false,
      end: (code) => {
        const status = { code, details: 'as the test says', metadata: new Metadata() };
        listener.onEnd({ status, fromServer: true });
      },
    };
    this.calls.push(call);
    return {
      send: () => (call.isSent = true),
      halfClose: () => {},
      read: () => {},
      cancel: () => {},
    };
  }

  waitForReady(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {}
}

describe('before their callers are admitted', () => {
  let upstream: SilentUpstream;
  let port: number;
  let answers: Promise<unknown>[];

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    upstream = new SilentUpstream();
    answers = [];
    port = await rig.start({ maxBodyBytes: 8 * MIB, maxBodyBytesInAll: 64 * MIB }, upstream);
  });
  afterEach(async () => {
    for (const call of upstream.calls) call.end(Code.ABORTED);
    await Promise.all(answers);
    jest.useRealTimers();
  });
  // After the hooks above: an answer must have left when its gateway closes.
  const rig = useRig();

  /** A body of so many bytes. */
  const bodyOf = (bytes: number): string => `{"str":"${'x'.repeat(bytes - 10)}"}`;

  /** Sends a body; resolves with its call. */
  async function post(bytes = MIB, more: Ask['headers'] = {}): Promise<StubCall> {
    const at = upstream.calls.length;
    const body = bodyOf(bytes);
    const headers = { 'content-type': 'application/json', ...more };
    // A connection whose request was not read to its end is closed with its answer, or before it has come.
    answers.push(ask(port, '/v1/whole', { method: 'POST', headers, body }).catch(() => {}));
    await until(() => upstream.calls.length > at);
    return upstream.calls[at]!;
  }

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise((resolve) => setImmediate(resolve));
  }

  const sent = async (call: StubCall): Promise<void> => until(() => call.isSent);

  /** Bodies that use up what may be ahead: 8 MiB, apart from the first 64 KiB of each. */
  async function fill(): Promise<StubCall[]> {
    const calls: StubCall[] = [];
    for (let n = 0; n < 8; n++) {
      calls.push(await post());
      await sent(calls[n]!);
    }
    return calls;
  }

  /** Whether the request of a call waits, although others are served meanwhile. */
  async function waits(call: StubCall): Promise<boolean> {
    for (let n = 0; n < 20; n++) {
      const at = upstream.calls.length;
      const answer = ask(port, '/v1/query');
      await until(() => upstream.calls.length > at);
      upstream.calls[at]!.end(Code.ABORTED);
      await answer;
    }
    return !call.isSent;
  }

  const encoded = (body: string): Uint8Array => Buffer.from(body);
  const CONNECT_STREAM = { 'content-type': 'application/connect+json' };

  it.each<[string, number, string, Ask['headers'], (body: string) => Uint8Array]>([
    ['a body above 1 MiB', 1, '/v1/whole', {}, encoded],
    ['a body above 1 MiB by Connect', 1, '/transcoding.v1.EchoService/Query', {}, encoded],
    [
      'a stream of requests',
      // What counts as read, the part with which it is more than 64 KiB, and one that comes meanwhile.
      3,
      '/transcoding.v1.StreamService/Sum',
      CONNECT_STREAM,
      () => framed(0, Buffer.from(JSON.stringify({ padding: 'x'.repeat(2 * MIB) }))),
    ],
  ])('of %s no more than %i times 64 KiB are read', async (_, reads, path, more, form) => {
    const requests: IncomingMessage[] = [];
    const gateway = new Gateway(rig.registry, upstream, {
      protocols: ['rest', 'connect'],
      maxBodyBytes: 8 * MIB,
    });
    const served = await serve((req, res) => {
      requests.push(req);
      gateway.handle(req, res);
    });
    try {
      const body = form(bodyOf(2 * MIB));
      const headers = { 'content-type': 'application/json', ...more };
      const answer = ask(served.port, path, { method: 'POST', headers, body });
      await until(() => upstream.calls.length > 0);
      expect(await waits(upstream.calls[0]!)).toBe(true);
      expect(requests[0]!.socket.bytesRead).toBeLessThanOrEqual(reads * 65_536);
      jest.advanceTimersByTime(250);
      await sent(upstream.calls[0]!);
      upstream.calls[0]!.end(Code.ABORTED);
      await answer;
    } finally {
      await served.close();
    }
  });

  it('large bodies are read at once, up to 8 MiB of them together', async () => {
    await fill();
    const next = await post();
    expect(await waits(next)).toBe(true);
    jest.advanceTimersByTime(250);
    await sent(next);
  });

  it.each<[string, Ask['headers']]>([
    ['with a length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked', 'content-length': [] }],
  ])('a body above 1 MiB %s waits, because others would wait for it', async (_, headers) => {
    await sent(await post(MIB, headers));
    const larger = await post(2 * MIB, headers);
    expect(await waits(larger)).toBe(true);
    jest.advanceTimersByTime(250);
    await sent(larger);
  });

  it('bodies of up to 64 KiB never wait', async () => {
    await fill();
    for (let n = 0; n < 20; n++) await sent(await post(64 * 1024));
    expect(await waits(await post())).toBe(true);
  });

  it('large bodies no longer count when the server has had its time to refuse', async () => {
    await fill();
    jest.advanceTimersByTime(250);
    await fill();
  });

  it.each(['OK', 'INVALID_ARGUMENT', 'NOT_FOUND'] as const)(
    'large bodies no longer count after the answer %s, which is not a refusal',
    async (code) => {
      for (const call of await fill()) call.end(Code[code]);
      await fill();
    },
  );

  it.each(['UNAUTHENTICATED', 'PERMISSION_DENIED', 'RESOURCE_EXHAUSTED', 'UNAVAILABLE'] as const)(
    'large bodies count for a while after the refusal %s',
    async (code) => {
      for (const call of await fill()) call.end(Code[code]);
      const next = await post();
      expect(await waits(next)).toBe(true);
      next.end(Code[code]);
      jest.advanceTimersByTime(1_000);
      await sent(await post());
      await sent(await post());
      expect(await waits(await post())).toBe(true);
    },
  );

  it('large bodies count after their callers have disconnected', async () => {
    const body = bodyOf(MIB);
    for (let n = 0; n < 8; n++) {
      const leaving = new AbortController();
      const left = fetch(`http://127.0.0.1:${port}/v1/whole`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: leaving.signal,
      }).catch((error: Error) => error.name);
      await until(() => upstream.calls[n]?.isSent === true);
      leaving.abort();
      expect(await left).toBe('AbortError');
    }
    expect(await waits(await post())).toBe(true);
  });
});
