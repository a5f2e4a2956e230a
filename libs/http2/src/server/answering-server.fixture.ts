import { once } from 'node:events';
import { type Http2Server, createServer as createNode } from 'node:http2';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { type SecureContextOptions, createServer as createTls } from 'node:tls';
import type { ReceivedRequest } from '../frames/received-request.js';
import type { ServerSessionOptions } from './server-options.js';
import { ServerSession } from './server-session.js';
import type { Http2ServerStream, ServerStreamListener } from './server-stream.js';

const OK = [':status', '200', 'content-type', 'text/plain'];

/**
 * What the paths answer: `/empty` nothing but headers, `/echo` what comes, as it comes; `/early` at once, whatever comes; `/hold` nothing, nor `/paused`, which does not read either; `/big`
 * 300,000 bytes; `/loud` 8,000 bytes of headers; `/headers` all headers, and the trailers as trailers; all others `ok` once the request is complete.
 */
function answer(
  stream: Http2ServerStream,
  request: ReceivedRequest,
): Partial<ServerStreamListener> {
  switch (request.path) {
    case '/echo':
      stream.respond(OK);
      return {
        onData: (data) => stream.write(Buffer.from(data)),
        onEnd: () => stream.end(),
      };
    case '/early':
      stream.respond(OK, true);
      return {};
    case '/paused':
      stream.pause();
      return {};
    case '/empty':
      stream.respond(OK);
      stream.end();
      return {};
    case '/hold':
      return {};
    case '/loud':
      stream.respond([...OK, 'x-loud', 'x'.repeat(8_000)], true);
      return {};
    case '/big':
      stream.respond(OK);
      stream.write(Buffer.alloc(300_000, 'x'));
      stream.end();
      return {};
    case '/headers':
      return {
        onEnd(trailers = {}) {
          const { method, authority, headers } = request;
          stream.respond(OK);
          stream.write(Buffer.from(JSON.stringify({ method, authority, headers })));
          stream.end(Object.entries(trailers).flatMap(([name, value]) => [name, String(value)]));
        },
      };
    default:
      return {
        onEnd() {
          stream.respond(OK);
          stream.write(Buffer.from('ok'));
          stream.end();
        },
      };
  }
}

/** A server that answers, and remembers what it had to deal with. */
export class AnsweringServer {
  readonly sessions: ServerSession[] = [];
  readonly sockets: Socket[] = [];
  /** By path. */
  readonly requests: string[] = [];
  /** Connections that ended for a misuse: code and reason. */
  readonly misuses: string[] = [];
  /** How streams ended that were not answered. */
  readonly ends: (number | 'lost')[] = [];
  closed = 0;
  /** Requests that were answered in full. */
  answered = 0;
  readonly #server: Server;

  constructor(options: ServerSessionOptions = {}, tls?: SecureContextOptions) {
    const accept = (socket: Socket): void => this.#accept(socket, options);
    this.#server =
      tls === undefined
        ? createServer(accept)
        : createTls({ ...tls, ALPNProtocols: ['h2'] }, accept);
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  close(): void {
    for (const session of this.sessions) session.destroy();
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
  }

  #accept(socket: Socket, options: ServerSessionOptions): void {
    this.sockets.push(socket);
    const session = new ServerSession(
      socket,
      {
        onStream: (stream, request) => {
          this.requests.push(request.path);
          return {
            onData: () => {},
            onEnd: () => {},
            ...answer(stream, request),
            onClosed: (code) => this.ends.push(code),
            onAnswered: () => (this.answered += 1),
          };
        },
        onMisuse: (code, reason) => this.misuses.push(`${code} ${reason}`),
        onClosed: () => (this.closed += 1),
      },
      options,
    );
    this.sessions.push(session);
  }
}

/** What `node:http2` has for the paths `/`, `/echo`, `/early` and `/hold`. */
export async function nodeServer(ends: (() => void)[]): Promise<number> {
  const server: Http2Server = createNode();
  server.on('sessionError', () => {});
  server.on('session', (session) => ends.push(() => session.destroy()));
  server.on('stream', (stream, { ':path': path }) => {
    stream.on('error', () => {});
    if (path === '/early') stream.respond({ ':status': 200 }, { endStream: true });
    else if (path === '/echo') {
      stream.respond({ ':status': 200 });
      stream.pipe(stream);
    } else if (path !== '/hold' && path !== '/paused') {
      stream.resume();
      stream.on('end', () => {
        if (stream.destroyed) return;
        stream.respond({ ':status': 200 });
        stream.end('ok');
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}
