import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { following } from './http-streams.js';
import type { Client } from './load.js';

/** Each has one connection; the callers on it share it. */
const CONNECTIONS = 16;
const CALLERS = 4;
const UPLOAD = JSON.stringify({ text: 'x'.repeat(20_000) });
/** How often a request may be refused unseen in a row: by each instance that goes, once. */
const MAX_REFUSALS = 3;

/**
 * Clients of HTTP/2 that retry nothing, but for what the protocol allows: a request that the server
 * has refused unseen (GOAWAY, RFC 9113, section 6.8) is sent on the next connection.
 */
export function http2Clients(
  port: number,
  isTls: boolean,
  withStreams: boolean,
): readonly Client[] {
  return Array.from({ length: CONNECTIONS }, () => {
    const connection = new Connection(`${isTls ? 'https' : 'http'}://127.0.0.1:${port}`);
    return [
      ...Array.from({ length: CALLERS }, () => asking(connection)),
      ...(withStreams ? [following('events', (stop) => followEvents(connection, stop))] : []),
    ];
  }).flat();
}

/** A connection, and the next one when the server has told that one to go. */
class Connection {
  readonly #url: string;
  #session: ClientHttp2Session | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  get session(): ClientHttp2Session {
    if (this.#session === null || this.#session.closed || this.#session.destroyed) {
      this.#session = connect(this.#url, { rejectUnauthorized: false });
      // Its streams tell.
      this.#session.on('error', () => {});
    }
    return this.#session;
  }

  end(): void {
    this.#session?.close();
  }
}

/** A caller that asks, waits for the answer, thinks and asks again. */
function asking(connection: Connection): Client {
  return async (tally, stop, think) => {
    while (!stop.aborted) {
      const dice = Math.random();
      const path = dice < 0.1 ? '/slow' : dice < 0.2 ? '/upload' : '/now';
      const expected = path === '/slow' ? 'slow' : path === '/upload' ? '20000' : 'now';
      await tally.request(path, expected, exchange(connection, path));
      await think();
    }
    connection.end();
  };
}

async function exchange(connection: Connection, path: string): Promise<string> {
  for (let refusals = 0; ; refusals++) {
    const said = await once(connection.session, path);
    if (said !== null) return said;
    if (refusals === MAX_REFUSALS) return 'refused again and again';
  }
}

/** Resolves with the body of a 2xx, with what went wrong, or with null where it was refused unseen. */
function once(session: ClientHttp2Session, path: string): Promise<string | null> {
  const isUpload = path === '/upload';
  return new Promise((resolve) => {
    const stream = session.request(
      { ':path': path, ':method': isUpload ? 'POST' : 'GET' },
      { endStream: !isUpload },
    );
    let status = 0;
    let body = '';
    stream.on('response', (headers) => (status = headers[':status'] ?? 0));
    stream.on('data', (data: Buffer) => (body += data.toString()));
    stream.on('end', () => status !== 0 && resolve(status < 300 ? body : `status ${status}`));
    stream.on('error', (error: NodeJS.ErrnoException) => {
      resolve(isRefused(stream) ? null : `${error.code} ${stream.rstCode}`);
    });
    stream.on('close', () => resolve(isRefused(stream) ? null : `reset ${stream.rstCode}`));
    if (!isUpload) return;
    // In two halves, so that some are under way when an instance stops.
    stream.write(UPLOAD.slice(0, 10_000));
    setTimeout(() => stream.end(UPLOAD.slice(10_000)), 5);
  });
}

/** One without an id has never been sent. */
function isRefused({ rstCode, id }: ClientHttp2Stream): boolean {
  return rstCode === constants.NGHTTP2_REFUSED_STREAM || id === undefined;
}

/** Server-sent events, which have to end properly. */
function followEvents(connection: Connection, stop: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const stream = connection.session.request({ ':path': '/events' });
    let events = 0;
    stop.addEventListener('abort', () => (resolve('done'), stream.close()), { once: true });
    stream.on('data', () => events++);
    const ended = (text: string): void => resolve(isRefused(stream) ? 'told to go' : text);
    stream.on('error', (error: NodeJS.ErrnoException) => ended(`${error.code} ${stream.rstCode}`));
    stream.on('end', () => ended(events > 0 ? 'told to go' : 'no event'));
    stream.on('close', () => ended(`reset ${stream.rstCode}`));
  });
}
