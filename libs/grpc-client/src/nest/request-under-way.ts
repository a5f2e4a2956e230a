import { HttpMetadata } from '@apix/calls/internal';
import { acceptedRequestId, givenRequestId } from '@apix/contracts/internal';
import type { CallUnderWay } from '@apix/contracts';
import type { IncomingMessage, ServerResponse } from 'node:http';

const REQUEST_ID = 'x-request-id';

/**
 * A request of HTTP, for the calls that its handler makes. Values that cost something are created on first
 * use.
 */
export class RequestUnderWay implements CallUnderWay {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #metadata: HttpMetadata | undefined;
  #signal: AbortSignal | undefined;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req;
    this.#res = res;
  }

  get metadata(): HttpMetadata {
    return (this.#metadata ??= new HttpMetadata(this.#req.rawHeaders, this.#req.headers));
  }

  /** The id that it was given, that is sent back with its answer, or that it came with. */
  get requestId(): string | undefined {
    return (
      givenRequestId(this.#req) ??
      acceptedRequestId(this.#res.getHeader(REQUEST_ID)) ??
      acceptedRequestId(this.metadata.get(REQUEST_ID)[0])
    );
  }

  get signal(): AbortSignal {
    return (this.#signal ??= signalOf(this.#res));
  }
}

/** Aborts when the connection is gone before the answer was sent. */
function signalOf(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const check = (): void => {
    if (!res.writableFinished) controller.abort(new Error('the HTTP caller has disconnected'));
  };
  if (res.destroyed) check();
  else res.once('close', check);
  return controller.signal;
}
