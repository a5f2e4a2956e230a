import type { CallSample, CallableMethod } from '../../../src/section-views.js';
import { inFrames } from './message-frames.js';

/** A call as the viewer has written it. */
export interface WrittenCall {
  readonly protocol: CallSample['protocol'];
  readonly kind: CallableMethod['kind'];
  readonly httpMethod: string;
  /** Path and query. */
  readonly target: string;
  /** JSON; null for a request without a body. */
  readonly body: string | null;
  /** Of the caller; empty without one. */
  readonly token: string;
  /** A line for each, as `name: value`. */
  readonly headers: string;
  /** Whether the browser sends the cookies and the password that it has for this app. */
  readonly asViewer: boolean;
}

/** What `fetch` takes. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly init: RequestInit;
}

/** Whether the caller sends several messages. */
export function sendsStream(kind: CallableMethod['kind']): boolean {
  return kind === 'client_stream' || kind === 'bidi_stream';
}

/** Whether messages have heads, of which the last says how the call has ended. */
export function isFramed({ protocol, kind }: Pick<WrittenCall, 'protocol' | 'kind'>): boolean {
  return protocol === 'grpc-web' || (protocol === 'connect' && kind !== 'unary');
}

/**
 * The request of a call.
 *
 * @param origin of the app; nothing is sent to another.
 * @throws Error that says what is wrong with what was written.
 */
export function outgoingRequest(call: WrittenCall, origin: string): OutgoingRequest {
  const url = new URL(call.target, origin);
  if (!call.target.startsWith('/') || url.origin !== origin) {
    throw new Error('the path must begin with one slash: only this app is called');
  }
  const headers = headersOf(call);
  const body = bodyOf(call);
  const init: RequestInit = {
    method: call.httpMethod,
    headers,
    cache: 'no-store',
    credentials: call.asViewer ? 'same-origin' : 'omit',
    ...(body !== undefined && { body }),
  };
  return { url, init };
}

function headersOf(call: WrittenCall): Headers {
  const headers = new Headers(ownHeaders(call));
  const token = call.token.trim();
  if (token !== '') set(headers, 'authorization', token.includes(' ') ? token : `Bearer ${token}`);
  for (const line of call.headers.split('\n')) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`the header "${line.trim()}" is not of the form name: value`);
    set(headers, line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

function set(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Error(`the header "${name}" has a character that no header can have`);
  }
}

/** What says in which form the call is made. */
function ownHeaders(call: WrittenCall): Record<string, string> {
  const { protocol, kind, body } = call;
  if (protocol === 'grpc-web') {
    return { 'content-type': 'application/grpc-web+json', 'x-grpc-web': '1' };
  }
  if (protocol === 'connect') {
    const format = kind === 'unary' ? 'json' : 'connect+json';
    return { 'content-type': `application/${format}`, 'connect-protocol-version': '1' };
  }
  return {
    accept: kind === 'server_stream' ? 'application/x-ndjson' : 'application/json',
    ...(body !== null && { 'content-type': 'application/json' }),
  };
}

function bodyOf(call: WrittenCall): string | Uint8Array<ArrayBuffer> | undefined {
  const { body, kind } = call;
  if (body === null) return undefined;
  if (!isFramed(call)) return body;
  return inFrames(sendsStream(kind) ? messagesIn(body) : [body]);
}

function messagesIn(body: string): string[] {
  let list: unknown;
  try {
    list = JSON.parse(body);
  } catch (error) {
    throw new Error(`the messages are not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(list)) throw new Error('the messages must be a JSON list, such as [{}, {}]');
  return list.map((message) => JSON.stringify(message));
}
