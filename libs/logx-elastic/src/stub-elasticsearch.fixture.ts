import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A bulk request as the stub got it. */
export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly actions: readonly unknown[];
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly bytes: number;
}

/** What the stub does with a request. */
export type Behaviour =
  /** Takes all events, or those for which `statusOf` says 201. */
  | { readonly kind: 'take'; readonly statusOf?: (event: StubRequest['events'][number]) => number }
  /** Answers with an error as Elasticsearch words it. */
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Answers with this, whatever it is. */
  | { readonly kind: 'say'; readonly status: number; readonly body: string }
  /** Cuts the connection in the middle of the reply. */
  | { readonly kind: 'reset' }
  /** Takes all events, but answers only then. */
  | { readonly kind: 'slow'; readonly until: Promise<void> }
  /** Never answers. */
  | { readonly kind: 'black hole' };

/**
 * Behaves as the bulk API is documented to
 * (https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk), over real HTTP.
 */
export class StubElasticsearch {
  /** Every request with a complete body. */
  readonly requests: StubRequest[] = [];
  /** The events that were taken, in the order of their arrival. */
  readonly taken: Readonly<Record<string, unknown>>[] = [];
  /** Of each request, told its number from 0. Default: takes everything. */
  behave: (request: StubRequest, number: number) => Behaviour = () => ({ kind: 'take' });
  connections = 0;
  /** Also known while it does not listen. */
  lastPort = 0;
  #server: http.Server;
  #waiting = new Set<() => void>();

  private constructor(tls?: https.ServerOptions) {
    this.#server = tls ? https.createServer(tls) : http.createServer();
    this.#server.on('connection', () => this.connections++);
    this.#server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => this.#answer(request, Buffer.concat(parts), response));
    });
  }

  static async start({ port = 0, tls }: { port?: number; tls?: https.ServerOptions } = {}) {
    const stub = new StubElasticsearch(tls);
    await stub.listen(port);
    return stub;
  }

  get address(): string {
    const scheme = this.#server instanceof https.Server ? 'https' : 'http';
    return `${scheme}://127.0.0.1:${this.lastPort}`;
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.lastPort = (this.#server.address() as AddressInfo).port;
  }

  /** Resolves when so many requests have come. */
  async gotRequests(count: number): Promise<void> {
    while (this.requests.length < count) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Refuses connections from then on, and cuts those there are. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }

  #answer(request: http.IncomingMessage, raw: Buffer, response: http.ServerResponse): void {
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw;
    const lines = body.toString().split('\n');
    const values = lines.slice(0, -1).map((line) => JSON.parse(line) as Record<string, unknown>);
    const got: StubRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      actions: values.filter((_, i) => i % 2 === 0),
      events: values.filter((_, i) => i % 2 === 1),
      bytes: raw.length,
    };
    const behaviour = this.behave(got, this.requests.length);
    this.requests.push(got);
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
    this.#reply(got, behaviour, response);
  }

  #reply(got: StubRequest, behaviour: Behaviour, response: http.ServerResponse): void {
    const say = (status: number, text: string, headers = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(text);
    };
    switch (behaviour.kind) {
      case 'take': {
        const items = got.events.map((event, i) => {
          const status = behaviour.statusOf?.(event) ?? 201;
          if (status === 201) this.taken.push(event);
          return { [Object.keys(got.actions[i] as object)[0]!]: itemOf(status, this.taken.length) };
        });
        const errors = items.some((item) => Object.values(item)[0]!.status !== 201);
        return say(200, JSON.stringify({ took: 3, errors, items }));
      }
      case 'refuse': {
        const error = { type: 'security_exception', reason: 'missing authentication credentials' };
        const text = JSON.stringify({ error, status: behaviour.status });
        return say(behaviour.status, text, behaviour.headers);
      }
      case 'say':
        return say(behaviour.status, behaviour.body);
      case 'reset':
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"took":3,"errors":false,"items":[');
        setImmediate(() => response.socket?.destroy());
        return;
      case 'slow':
        void behaviour.until.then(() => this.#reply(got, { kind: 'take' }, response));
        return;
      case 'black hole':
    }
  }
}

function itemOf(status: number, number: number) {
  const where = { _index: 'logs', _id: `id-${number}`, status };
  if (status === 201) {
    const shards = { total: 2, successful: 1, failed: 0 };
    return { ...where, _version: 1, result: 'created', _shards: shards, _seq_no: number };
  }
  return {
    ...where,
    error:
      status === 429
        ? { type: 'es_rejected_execution_exception', reason: 'rejected execution of coordinating' }
        : {
            type: 'document_parsing_exception',
            reason: '[1:53] failed to parse field [age] of type [long]',
            caused_by: { type: 'illegal_argument_exception', reason: 'For input string: "x"' },
          },
  };
}
