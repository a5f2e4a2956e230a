import {
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
  createServer,
} from 'node:http2';
import type { Socket } from 'node:net';
import { ServerSession } from '@apix/http2';
import type { Wire } from './wire.js';

/** A request as its server has it. */
export interface SeenRequest {
  readonly path: string;
  readonly method: string;
  readonly authority: string;
  readonly headers: IncomingHttpHeaders;
  body: number;
  trailers: IncomingHttpHeaders | undefined;
  isComplete: boolean;
  isOver: boolean;
}

interface Waiting {
  readonly request: SeenRequest;
  answer(): void;
}

/** A connection at a server. It answers nothing before it is let to, so that a sequence is one turn for both servers. */
export interface Side {
  /** Those that a handler has seen. */
  readonly streams: ReadonlySet<number>;
  /** Why the connection was ended, where the server says it. */
  readonly reason: string | undefined;
  /** Answers what is complete. */
  release(): void;
  /** The client has gone; resolves with what is left that should not be. */
  closed(): Promise<readonly string[]>;
}

const BEGUN = { body: 0, trailers: undefined, isComplete: false, isOver: false };
const OK = [':status', '200'];
const BIG = 100_000;

/** What a request is answered with, so that both servers must have understood the same. */
function bodyOf(request: SeenRequest): Buffer {
  if (request.path === '/big') return Buffer.alloc(BIG, 'x');
  const { method, path, authority, body } = request;
  const seen = { method, path, authority, body, headers: sorted(request.headers) };
  return Buffer.from(JSON.stringify({ ...seen, trailers: sorted(request.trailers ?? {}) }));
}

function sorted(headers: IncomingHttpHeaders): readonly unknown[] {
  return Object.entries(headers)
    .filter(([name]) => !name.startsWith(':') && name !== 'host')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** `/hold` is never answered, `/early` before it is complete. */
function isReady({ path, isComplete, isOver }: SeenRequest): boolean {
  return !isOver && path !== '/hold' && (isComplete || path === '/early' || path === '/reset');
}

function releaseReady(waiting: Set<Waiting>): void {
  for (const each of waiting) {
    if (!isReady(each.request)) continue;
    waiting.delete(each);
    each.answer();
  }
}

export function openOurs(wire: Wire): Side {
  const streams = new Set<number>();
  const waiting = new Set<Waiting>();
  const problems: string[] = [];
  let [closings, misuses] = [0, 0];
  let reason: string | undefined;
  const session = new ServerSession(wire as unknown as Socket, {
    onStream(stream, { method, path, authority, headers }) {
      const request: SeenRequest = {
        method,
        path,
        authority,
        headers,
        ...BEGUN,
      };
      if (streams.has(stream.id)) problems.push('a stream that begins twice');
      streams.add(stream.id);
      if (closings > 0) problems.push('a request after the end of its session');
      const answer = (): void => {
        request.isOver = true;
        if (path === '/reset') return stream.close(8);
        if (path === '/early') return stream.respond(OK, true);
        if (method === 'HEAD') return stream.respond(OK, true);
        stream.respond(OK);
        stream.write(bodyOf(request));
        stream.end(path === '/trailers' ? ['x-end', '1'] : undefined);
      };
      waiting.add({ request, answer });
      let isClosed = false;
      const live = (what: string): void => {
        if (request.isComplete || isClosed) problems.push(`${what} after the end`);
      };
      return {
        onData(data) {
          live('data');
          request.body += data.length;
        },
        onEnd(trailers) {
          live('an end');
          request.isComplete = true;
          request.trailers = trailers;
        },
        onClosed() {
          if (isClosed) problems.push('two ends of a stream');
          isClosed = true;
          request.isOver = true;
        },
      };
    },
    onMisuse(code, text) {
      misuses += 1;
      reason = `${code} ${text}`;
      if (misuses > 1 || closings > 0) problems.push('misuse is told of twice, or too late');
    },
    onClosed: () => (closings += 1),
  });
  return {
    streams,
    get reason() {
      return reason;
    },
    release: () => releaseReady(waiting),
    async closed() {
      for (let turn = 0; turn < 100 && !wire.destroyed; turn += 1) await new Promise(setImmediate);
      if (closings !== 1) problems.push(`${closings} ends of a session`);
      if (session.streamCount > 0) problems.push(`${session.streamCount} streams are left`);
      if (session.unsentBytes > 0) problems.push(`${session.unsentBytes} bytes are left`);
      if (!wire.destroyed) problems.push('its socket is left');
      return problems;
    },
  };
}

export class NodeServer {
  readonly #server: Http2Server = createServer({
    settings: { maxConcurrentStreams: 100, maxHeaderListSize: 65_535 },
  });

  constructor() {
    this.#server.on('sessionError', () => {});
  }

  open(wire: Wire): Side {
    const streams = new Set<number>();
    const waiting = new Set<Waiting>();
    const ended = new Promise<void>((resolve) => {
      this.#server.once('session', (session) => {
        session.once('close', resolve);
        session.on('error', () => {});
        session.on('stream', (stream: ServerHttp2Stream, headers) => {
          streams.add(stream.id!);
          waiting.add(accept(stream, headers));
        });
        ends = (): void => session.destroy();
      });
    });
    let ends = (): void => {};
    this.#server.emit('connection', wire);
    return {
      streams,
      reason: undefined,
      release: () => releaseReady(waiting),
      async closed() {
        ends();
        await ended;
        return [];
      },
    };
  }
}

function accept(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Waiting {
  const request: SeenRequest = {
    path: headers[':path'] ?? '',
    method: headers[':method'] ?? '',
    authority: headers[':authority'] ?? headers.host ?? '',
    headers,
    ...BEGUN,
  };
  stream.on('error', () => {});
  stream.on('trailers', (it) => (request.trailers = it));
  stream.on('data', (data: Buffer) => (request.body += data.length));
  stream.on('end', () => (request.isComplete = true));
  stream.on('close', () => (request.isOver = true));
  const { path } = request;
  const answer = (): void => {
    request.isOver = true;
    if (stream.destroyed) return;
    if (path === '/reset') return stream.close(8);
    if (path === '/early') return stream.respond({ ':status': 200 }, { endStream: true });
    if (request.method === 'HEAD') return stream.respond({ ':status': 200 }, { endStream: true });
    stream.respond({ ':status': 200 }, { waitForTrailers: path === '/trailers' });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-end': '1' }));
    stream.end(bodyOf(request));
  };
  return { request, answer };
}
