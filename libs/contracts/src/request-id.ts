import type { IncomingMessage } from 'node:http';

const MAX_LENGTH = 128;
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The request id that a caller sent, if it can be passed on and written everywhere: 1 to 128 visible
 * ASCII characters. Undefined for anything else (too long, blanks, control characters, several
 * values). Every entry point asks this one function, so that a request has one id throughout.
 */
export function acceptedRequestId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
  return VISIBLE_ASCII.test(value) ? value : undefined;
}

/** The id of a request of HTTP: that of its header where it is sound, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  return acceptedRequestId(headers['x-request-id']) ?? crypto.randomUUID();
}

/** On the request of HTTP that has been given one, so that all installed copies find it. */
const GIVEN_ID = Symbol.for('apix.RequestId');

interface Identified {
  [GIVEN_ID]?: string;
}

/** Notes the id that an entry point has given to a request, whatever header it goes by. */
export function giveRequestId(request: object, id: string): void {
  (request as Identified)[GIVEN_ID] = id;
}

/** The id that a request was given, if it was. */
export function givenRequestId(request: object): string | undefined {
  return (request as Identified)[GIVEN_ID];
}
