import { type AnyResponse, endResponse } from '@apix/contracts';
import { HostError } from '../errors.js';

type Done = (error: Error) => void;

const CLOSE_OPCODE = 0x88;
const EVENT_STREAM = 'text/event-stream';
const EVENT_STREAM_LINE = /^content-type:\s*text\/event-stream/im;

/** A WebSocket close frame of a server: unmasked, with a status code and no reason. */
export function closeFrame(code: number): Buffer {
  return Buffer.from([CLOSE_OPCODE, 2, code >> 8, code & 0xff]);
}

/** Whether a response under way is one of server-sent events. */
export function isEventStream(response: AnyResponse): boolean {
  if (!response.headersSent) return false;
  const type = response.getHeader('content-type');
  if (type !== undefined) return String(type).toLowerCase().startsWith(EVENT_STREAM);
  // Headers that were passed only to writeHead are found only in the sent text.
  const { _header: sent } = response as AnyResponse & { readonly _header?: unknown };
  return typeof sent === 'string' && EVENT_STREAM_LINE.test(sent);
}

/**
 * Ends a stream of events; the client reconnects by itself and ignores an event that was sent only in part
 * (WHATWG HTML, server-sent events).
 */
export function endEvents(response: AnyResponse): void {
  // Its handler may write again before it notices; that must not become an uncaught error.
  response.on('error', () => {});
  endResponse(response);
  // Nor may it reset the stream, which is what Node does over HTTP/2.
  if ('stream' in response) response.write = writeAfterEnd;
}

function writeAfterEnd(_: unknown, ...rest: readonly unknown[]): boolean {
  const done = rest.find((each) => typeof each === 'function') as Done | undefined;
  if (done === undefined) return false;
  const error = new HostError('hostx: the event stream has ended');
  process.nextTick(done, Object.assign(error, { code: 'ERR_STREAM_WRITE_AFTER_END' }));
  return false;
}
