import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { request as requestSecure } from 'node:https';
import { once } from 'node:events';

/** A request without a body, or with one that is sent whole. */
export interface Question {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What came back, byte for byte. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** As latin1. */
  readonly body: string;
  readonly trailers: Readonly<Record<string, unknown>>;
}

/** Headers of the connection, and those that differ from answer to answer. */
const VARYING: ReadonlySet<string> = new Set([
  ':status',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'date',
  'x-request-id',
  'content-length',
]);

/** The answer of a server to a request of HTTP/1. */
export async function askHttp1(url: string, question: Question): Promise<WholeAnswer> {
  const { method = 'GET', path, headers, body } = question;
  const options = { method, headers: { ...headers }, agent: false, rejectUnauthorized: false };
  const send = url.startsWith('https:') ? requestSecure : request;
  const sent = send(new URL(path, url), options);
  if (body !== undefined) sent.setHeader('content-length', Buffer.byteLength(body));
  const [res] = (await once(sent.end(body), 'response')) as [IncomingMessage];
  const text = await textOf(res.setEncoding('latin1'));
  const { statusCode = 0, trailers } = res;
  return { status: statusCode, headers: steady(res.headers), body: text, trailers };
}

/** Its answer to the same request of HTTP/2. */
export async function askHttp2(
  session: ClientHttp2Session,
  { method = 'GET', path, headers, body }: Question,
): Promise<WholeAnswer> {
  const stream = session.request(
    { ...headers, ':method': method, ':path': path },
    { endStream: body === undefined },
  );
  if (body !== undefined) stream.end(body);
  let trailers = {};
  stream.on('trailers', (sent: IncomingHttpHeaders) => (trailers = steady(sent)));
  const [head] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }];
  const text = await textOf(stream.setEncoding('latin1'));
  return { status: head[':status'] ?? 0, headers: steady(head), body: text, trailers };
}

/** A connection of HTTP/2 that accepts any certificate. */
export function connectHttp2(url: string): ClientHttp2Session {
  return connect(url, { rejectUnauthorized: false }).on('error', () => {});
}

async function textOf(from: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const part of from) text += part as string;
  return text;
}

function steady(headers: IncomingHttpHeaders): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !VARYING.has(name)));
}
