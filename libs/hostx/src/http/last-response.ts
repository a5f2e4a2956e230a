import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from 'node:http';

type HeadersArgument = OutgoingHttpHeaders | readonly OutgoingHttpHeader[];
type WriteHead = (status: number, ...rest: (string | HeadersArgument | undefined)[]) => unknown;

/**
 * Adds `Connection: close` to a response, whatever its handler does, unless its headers have been sent. Can
 * be taken back until then: a pipelined request may follow, whose response is then the last one on the
 * connection.
 */
export class LastResponse {
  readonly #response: ServerResponse;
  readonly #keepAlive: boolean;
  #isLast = true;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#keepAlive = response.shouldKeepAlive;
    response.shouldKeepAlive = false;
    // Node writes every kind of header through this method, so that it is the one place where
    // a handler's own Connection header (a proxy's, copied from upstream) can be replaced.
    const writeHead = response.writeHead.bind(response) as WriteHead;
    const wrapped: WriteHead = (status, ...rest) => {
      // Why: docs/decisions/0055
      if (!this.#isLast) return writeHead(status, ...rest);
      if (response.hasHeader('connection')) response.setHeader('Connection', 'close');
      response.removeHeader('keep-alive');
      return writeHead(status, ...rest.map(withoutConnection));
    };
    response.writeHead = wrapped as ServerResponse['writeHead'];
  }

  /** Lets the connection live on after this response. */
  takeBack(): void {
    this.#set(false);
  }

  renew(): void {
    this.#set(true);
  }

  #set(isLast: boolean): void {
    this.#isLast = isLast;
    this.#response.shouldKeepAlive = !isLast && this.#keepAlive;
  }
}

function isOfConnection(name: unknown): boolean {
  const key = String(name).toLowerCase();
  return key === 'connection' || key === 'keep-alive';
}

/** Headers as given to writeHead, an object or a flat list of names and values. */
function withoutConnection(
  headers: string | HeadersArgument | undefined,
): string | HeadersArgument | undefined {
  if (typeof headers !== 'object' || headers === null) return headers;
  if (!Array.isArray(headers)) {
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfConnection(name)));
  }
  if (Array.isArray(headers[0])) {
    return headers.filter((pair: unknown) => !isOfConnection((pair as unknown[])[0]));
  }
  return headers.filter((_, index) => !isOfConnection(headers[index - (index % 2)]));
}
