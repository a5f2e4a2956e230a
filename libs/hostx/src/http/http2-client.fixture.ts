import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
  connect,
} from 'node:http2';

/** What came back on a stream. */
export interface Http2Answer {
  readonly status: number;
  readonly body: string;
}

/** A connection of HTTP/2 whose errors and end a test can look at. */
export interface Http2Client {
  readonly session: ClientHttp2Session;
  /** Codes and last streams of the GOAWAY frames that came. */
  readonly goaways: { readonly code: number; readonly lastStream: number }[];
  /** Sends a request; `body` undefined: none. */
  ask(path: string, headers?: OutgoingHttpHeaders, body?: string): Promise<Http2Answer>;
  /** Sends headers alone, and leaves the rest to the test. */
  begin(path: string, headers?: OutgoingHttpHeaders): ReturnType<ClientHttp2Session['request']>;
  readonly closed: Promise<unknown>;
}

export async function http2Client(
  url: string,
  options: SecureClientSessionOptions = {},
): Promise<Http2Client> {
  const session = connect(url, { rejectUnauthorized: false, ...options });
  session.on('error', () => {});
  const goaways: Http2Client['goaways'] = [];
  session.on('goaway', (code, lastStream) => goaways.push({ code, lastStream }));
  const closed = new Promise((resolve) => session.once('close', resolve));
  await once(session, 'connect');
  const begin: Http2Client['begin'] = (path, headers = {}) => {
    const stream = session.request({ ':path': path, ...headers }, { endStream: false });
    stream.setEncoding('utf8');
    return stream;
  };
  return {
    session,
    goaways,
    closed,
    begin,
    ask(path, headers, body) {
      const stream = begin(path, headers);
      stream.end(body);
      return answerOf(stream);
    },
  };
}

/** The whole answer on a stream; rejects where it is reset. */
export async function answerOf(
  stream: ReturnType<ClientHttp2Session['request']>,
): Promise<Http2Answer> {
  let status = 0;
  let body = '';
  stream.on('response', (headers) => (status = headers[':status'] ?? 0));
  for await (const part of stream) body += part as string;
  return { status, body };
}
