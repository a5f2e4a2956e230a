import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

export interface HttpRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** How long an answer may take, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Makes one request on a connection of its own. Resolves with the answer, also where the server
 * closes the connection before it has read the body; rejects where there is none.
 */
export function httpCall(port: number, asked: HttpRequest): Promise<HttpAnswer> {
  const { method = 'GET', path, headers = {}, body = '' } = asked;
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body);
    const req = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: { ...(length > 0 && { 'content-length': length }), ...headers },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    let isAnswered = false;
    req.on('response', (res) => {
      isAnswered = true;
      let text = '';
      const done = (): void => resolve({ status: res.statusCode ?? 0, headers: res.headers, text });
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => (text += chunk));
      // What is cut off has a status all the same.
      res.on('close', done);
      res.on('error', done);
    });
    req.on('error', (error) => {
      if (!isAnswered) reject(error);
    });
    req.end(body);
  });
}
