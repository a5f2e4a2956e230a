import { oneOf, usual } from '../knock.js';
import { rawSocket, statusesIn } from '../raw-socket.js';
import type { Attack } from '../row.js';

/** Inside each, where another reader would see a second request: for a keeper. */
const HIDDEN =
  'DELETE /api/v1/vault/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer keeper\r\nContent-Length: 0\r\n\r\n';

/** Requests whose end two readers see in two places. */
export const REQUESTS: Readonly<Record<string, (head: string) => string>> = {
  'a length and chunks': (head) =>
    `${head}Content-Length: ${HIDDEN.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'two lengths': (head) =>
    `${head}Content-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  'a list of lengths': (head) => `${head}Content-Length: 0, ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  'a signed length': (head) => `${head}Content-Length: +0\r\n\r\n${HIDDEN}`,
  'two codings': (head) =>
    `${head}Transfer-Encoding: identity, chunked, identity\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'an unknown coding': (head) => `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'a folded header': (head) =>
    `${head}X-A: b\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'a space before the colon': (head) =>
    `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'a bare CR': (head) => `${head}X-A: b\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  'a NUL': (head) => `${head}X-A: b\0\r\n\r\n${HIDDEN}`,
  'a broken chunk': (head) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n0x2\r\nab\r\n0\r\n\r\n${HIDDEN}`,
  'a chunk without its end': (head) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n2\r\nabXX0\r\n\r\n${HIDDEN}`,
  'an endless extension of a chunk': (head) =>
    `${head}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(100_000)}\r\nab\r\n0\r\n\r\n${HIDDEN}`,
};

/** One status below 500 for each, and the connection ends. */
export const smuggling: Attack = async (site, door) => {
  const { path, headers } = usual(door, 'porch');
  const type = String(headers?.['content-type']);
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\n`;
  const results: string[] = [];
  for (const [what, request] of Object.entries(REQUESTS)) {
    const raw = await rawSocket(site.portOf(door));
    raw.socket.write(request(head), 'latin1');
    const isClosed = await raw.closed(1_500);
    const statuses = statusesIn(raw.received());
    raw.socket.destroy();
    const isRefused = isClosed && /^4\d\d$/.test(statuses);
    results.push(isRefused ? 'refused' : `${statuses} to ${what}${isClosed ? '' : ', open'}`);
  }
  return oneOf(results);
};
