import { create } from '@bufbuild/protobuf';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import { afterEach, expect, it } from '@jest/globals';
import { Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { type Served, ask, serve } from '../fixtures/serve.fixture.js';
import { talk } from '../fixtures/talk.fixture.js';
import type { Call, CallHead, CallListener, SendContext } from '@apix/calls';
import { Gateway, type Upstream } from '../core/index.js';
import { webSockets } from '../websocket/index.js';

/** As a user may write it: answers every message with itself, without any server. */
class Mirror implements Upstream {
  readonly target = 'mirror';
  readonly isSecure = true;
  readonly state = 'ready';

  open({ method, metadata }: CallHead, listener: CallListener): Call {
    return new MirrorCall(method, metadata, listener);
  }

  waitForReady(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {}
}

class MirrorCall implements Call {
  readonly #method: DescMethod;
  readonly #metadata: Metadata;
  readonly #listener: CallListener;
  readonly #waiting: Message[] = [];
  #reads = 0;
  #hasHeaders = false;
  #isComplete = false;
  #hasEnded = false;

  constructor(method: DescMethod, metadata: Metadata, listener: CallListener) {
    this.#method = method;
    this.#metadata = metadata;
    this.#listener = listener;
  }

  send(message: Message, { taken }: SendContext = {}): void {
    this.#waiting.push(create(this.#method.output, { ...message, $unknown: undefined }));
    setImmediate(() => {
      taken?.();
      this.#proceed();
    });
  }

  halfClose(): void {
    this.#isComplete = true;
    setImmediate(() => this.#proceed());
  }

  read(): void {
    this.#reads += 1;
    setImmediate(() => this.#proceed());
  }

  cancel(): void {
    setImmediate(() => this.#end(GrpcStatus.CANCELLED, 'cancelled'));
  }

  #proceed(): void {
    if (this.#hasEnded) return;
    if (!this.#hasHeaders) {
      this.#hasHeaders = true;
      const headers = new Metadata();
      headers.set('etag', String(this.#metadata.get('x-request-id')[0]));
      this.#listener.onHeaders(headers);
    }
    while (this.#reads > 0 && this.#waiting.length > 0) {
      this.#reads -= 1;
      this.#listener.onMessage(this.#waiting.shift()!);
    }
    if (this.#isComplete && this.#waiting.length === 0) this.#end(GrpcStatus.OK, '');
  }

  #end(code: GrpcStatus, details: string): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const status = { code, details, metadata: new Metadata() };
    this.#listener.onEnd({ status, fromServer: true });
  }
}

let served: Served;
afterEach(() => served.close());

async function start(): Promise<number> {
  const options = { webSockets: webSockets() };
  const gateway = new Gateway(transcodingRegistry(), new Mirror(), options);
  served = await serve(gateway.handle);
  gateway.serveUpgrades(served.server);
  return served.port;
}

it('an Upstream of a user answers unary calls, headers included', async () => {
  const port = await start();
  const headers = { 'x-request-id': 'r1' };
  const answer = await ask(port, '/v1/query?str=a', { headers });
  expect(answer).toMatchObject({ status: 200, json: { str: 'a' }, headers: { etag: 'r1' } });
});

it('an Upstream of a user carries streams in both directions', async () => {
  const { ws, frames, closed } = await talk(await start(), '/v1/chat');
  for (const number of [1, 2, 3]) ws.send(JSON.stringify({ number }));
  ws.send('');
  expect(await closed).toEqual([1000, 'OK']);
  expect(frames).toEqual([1, 2, 3].map((number) => `{"result":{"number":${number}}}`));
});
