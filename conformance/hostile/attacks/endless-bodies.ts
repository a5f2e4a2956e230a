import type { Attack } from '../row.js';
import { rawSocket, statusesIn } from '../raw-socket.js';

const CHUNK = Buffer.concat([
  Buffer.from('10000\r\n'),
  Buffer.alloc(0x10000, ' '),
  Buffer.from('\r\n'),
]);
/** More than what is in the buffers of two kernels. */
const ENOUGH = 64 * 2 ** 20;

/**
 * Goes on sending after the answer, and never to an end. The rest of a request may be read for a
 * moment, so that the answer arrives (RFC 9112, section 9.6), but not for ever.
 */
export const endlessBody =
  (request: string, headers: string): Attack =>
  async (site, door) => {
    const raw = await rawSocket(site.portOf(door));
    raw.socket.write(
      `${request} HTTP/1.1\r\nHost: localhost\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`,
    );
    const sent = await raw.pour(CHUNK, { bytes: ENOUGH, ms: 8_000 });
    const isClosed = raw.isClosed() || (sent < ENOUGH && (await raw.closed(2_000)));
    const status = statusesIn(raw.received());
    raw.socket.destroy();
    return `${status === '' ? 'no answer' : status}, ${isClosed ? 'closed' : 'still open'}`;
  };
