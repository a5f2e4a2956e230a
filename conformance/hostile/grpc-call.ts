import { headerBlock } from '../../tools/testing/http2-header-block.js';
import {
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  connect,
} from 'node:http2';

/** How long an answer may take, in milliseconds. */
const PATIENCE_MS = 10_000;

export interface GrpcAnswer {
  /** The gRPC status; or of HTTP/2, `HTTP 400` and `reset 7`; or why there is none. */
  readonly status: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
}

export interface GrpcRequest {
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  /** What is sent, framed already. */
  readonly body?: Uint8Array;
}

/** A connection that keeps what goes wrong with it to itself: calls tell. */
export function grpcSession(port: number): ClientHttp2Session {
  return connect(`http://127.0.0.1:${port}`).on('error', () => {});
}

/** Makes one call on a connection of its own. */
export async function grpcCall(port: number, request: GrpcRequest): Promise<GrpcAnswer> {
  const session = grpcSession(port);
  try {
    return await callOn(session, request);
  } finally {
    session.destroy();
  }
}

/** Makes one call; never rejects. */
export function callOn(session: ClientHttp2Session, request: GrpcRequest): Promise<GrpcAnswer> {
  const { path, headers = {}, body = frame(note('hello')) } = request;
  return new Promise((resolve) => {
    let got: IncomingHttpHeaders = {};
    let bytes = 0;
    const tell = (status: string): void => resolve({ status, headers: got, bytes });
    setTimeout(() => tell('no answer'), PATIENCE_MS).unref();
    try {
      const stream = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        ...headers,
      });
      const take = (more: IncomingHttpHeaders): void => void (got = { ...got, ...more });
      stream.on('response', take).on('trailers', take);
      stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
      stream.on('error', (error) => tell(`reset: ${error.message}`));
      stream.on('close', () => tell(statusOf(got, stream.rstCode)));
      stream.end(body);
    } catch (error) {
      tell(`not sent: ${String(error)}`);
    }
  });
}

function statusOf(headers: IncomingHttpHeaders, reset: number): string {
  const status = headers['grpc-status'];
  if (typeof status === 'string') return status;
  const { ':status': http } = headers as { readonly ':status'?: number };
  return http === undefined || http === 200 ? `reset ${reset}` : `HTTP ${http}`;
}

/** A message with its length before it (the gRPC protocol, Length-Prefixed-Message). */
export function frame(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag, 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

/** A `strangers.v1.Note` with this `text`, of less than 128 bytes. */
export function note(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x0a, Buffer.byteLength(text)]), Buffer.from(text)]);
}

/** The headers of a call, for who writes its frames by hand. */
export function callHeaders(path: string, more: Readonly<Record<string, string>> = {}): Buffer {
  const headers = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': 'x',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...more,
  };
  return headerBlock(Object.entries(headers));
}
