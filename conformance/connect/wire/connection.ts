import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { type RequestOptions, Agent as SecureAgent, request as httpsRequest } from 'node:https';
import { connect as connectTls } from 'node:tls';
import type { Readable } from 'node:stream';
import { CERTIFICATE, KEY } from '../../../tools/testing/certificate.js';
import type { Fields } from '../suite/verdict.js';

export interface Head {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

export interface Response {
  readonly status: number;
  readonly headers: Fields;
  readonly body: AsyncIterable<Buffer>;
  /** Of HTTP, once the body has been read. */
  readonly trailers: () => Fields;
}

/** A request as it is on the wire, of which nothing is checked. */
export interface Exchange {
  /** Nothing is sent any more after the response has ended. */
  send(bytes: Uint8Array): void;
  end(): void;
  cancel(): void;
  /** @throws ResetError, Error of the socket */
  readonly response: Promise<Response>;
}

/** The server has reset the stream. */
export class ResetError extends Error {
  override readonly name = 'ResetError';
  constructor(readonly code: number) {
    super(`the stream was reset with code ${code}`);
  }
}

export interface Target {
  readonly port: number;
  readonly version: 1 | 2;
  readonly isTls: boolean;
  readonly hasClientCertificate?: boolean;
}

type SecureOptions = RequestOptions & { readonly ALPNProtocols: readonly string[] };

/** Connections to one port, in one version of HTTP. */
export class Connection {
  readonly #target: Target;
  readonly #agent: Agent;
  #session: ClientHttp2Session | undefined;

  constructor(target: Target) {
    this.#target = target;
    this.#agent = new (target.isTls ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 8 });
  }

  open(head: Head): Exchange {
    return this.#target.version === 1 ? this.#openHttp1(head) : this.#openHttp2(head);
  }

  close(): void {
    this.#agent.destroy();
    this.#session?.destroy();
  }

  #tls() {
    const { hasClientCertificate = false } = this.#target;
    return { ca: CERTIFICATE, ...(hasClientCertificate && { cert: CERTIFICATE, key: KEY }) };
  }

  #openHttp1({ method, path, headers }: Head): Exchange {
    const { port, isTls } = this.#target;
    const options = { host: 'localhost', port, method, path, agent: this.#agent };
    const secure: SecureOptions = { ...options, ...this.#tls(), ALPNProtocols: ['http/1.1'] };
    const request = isTls ? httpsRequest(secure) : httpRequest(options);
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    request.setNoDelay(true);
    // Without it, an empty body has no frame at all, and a message waits for the next one.
    if (method !== 'GET' && !request.hasHeader('content-length')) {
      request.setHeader('transfer-encoding', 'chunked');
    }
    request.flushHeaders();
    let isOver = false;
    const response = new Promise<Response>((resolve, reject) => {
      request.once('response', (message: IncomingMessage) => {
        message.once('close', () => {
          isOver = true;
          request.destroy();
        });
        resolve({
          status: message.statusCode!,
          headers: pairs(message.rawHeaders),
          body: message,
          trailers: () => pairs(message.rawTrailers),
        });
      });
      request.on('error', reject);
    });
    return {
      send: (bytes) => void (isOver || request.write(bytes)),
      end: () => void (isOver || request.end()),
      cancel: () => void request.destroy(),
      response,
    };
  }

  #openHttp2({ method, path, headers }: Head): Exchange {
    const stream = this.#connected().request(
      { ':method': method, ':path': path, ...headers },
      {
        endStream: false,
      },
    );
    return {
      send: (bytes) => void (stream.closed || stream.destroyed || stream.write(bytes)),
      end: () => void (stream.closed || stream.destroyed || stream.end()),
      cancel: () => stream.close(http2.constants.NGHTTP2_CANCEL),
      response: responseOf(stream),
    };
  }

  #connected(): ClientHttp2Session {
    if (this.#session !== undefined && !this.#session.closed && !this.#session.destroyed) {
      return this.#session;
    }
    const { port, isTls } = this.#target;
    const session = http2.connect(`${isTls ? 'https' : 'http'}://localhost:${port}`, {
      ...(isTls && {
        createConnection: () =>
          connectTls({ host: 'localhost', port, ...this.#tls(), ALPNProtocols: ['h2'] }),
      }),
    });
    session.on('error', () => {});
    this.#session = session;
    return session;
  }
}

async function responseOf(stream: ClientHttp2Stream): Promise<Response> {
  let trailers: Fields = new Map();
  stream.on('trailers', (fields) => {
    trailers = toFields(fields);
  });
  // Told by `close` or by who reads the body.
  stream.on('error', () => {});
  const closed = once(stream, 'close').then((): never => {
    throw new ResetError(stream.rstCode);
  });
  closed.catch(() => {});
  const headers = await Promise.race([
    new Promise<http2.IncomingHttpHeaders>((resolve) => stream.once('response', resolve)),
    closed,
  ]);
  return {
    status: Number(headers[':status']),
    headers: toFields(headers),
    body: readStream(stream),
    trailers: () => trailers,
  };
}

async function* readStream(stream: ClientHttp2Stream): AsyncIterable<Buffer> {
  const closed = once(stream, 'close');
  try {
    for await (const chunk of stream as Readable) yield chunk as Buffer;
  } catch {
    // Its code says more than the error.
    if (!stream.closed) await closed;
  }
  // A stream whose other half is open has ended without being closed.
  const code = stream.closed ? stream.rstCode : http2.constants.NGHTTP2_NO_ERROR;
  if (code !== http2.constants.NGHTTP2_NO_ERROR) throw new ResetError(code);
}

function toFields(fields: http2.IncomingHttpHeaders): Fields {
  return new Map(
    Object.entries(fields)
      .filter(([name]) => !name.startsWith(':'))
      .map(([name, value]) => [name, Array.isArray(value) ? value : [String(value)]]),
  );
}

function pairs(raw: readonly string[]): Fields {
  const fields = new Map<string, string[]>();
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    fields.set(name, [...(fields.get(name) ?? []), raw[at + 1]!]);
  }
  return fields;
}
