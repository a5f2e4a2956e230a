import { ask, oneOf, usual } from '../knock.js';
import { rawSocket, statusesIn } from '../raw-socket.js';
import type { Attack } from '../row.js';

/** What would end a line, move a cursor, or turn the direction of text. */
const TEXTS = ['%0A', '%0D%0A', '%1B[2J', '%C2%85', '%E2%80%A8', '%E2%80%AE', '%ED%A0%80', '%00'];

/** In paths, queries and headers: the bed reads every line that a process writes. */
export const forgedLines: Attack = async (site, door) => {
  const base = door === 'HTTP controller' ? '/desk/open/' : '/api/v1/porch/';
  const known =
    door.startsWith('REST') || door === 'HTTP controller' ? undefined : usual(door, 'porch');
  const results: string[] = [];
  for (const text of TEXTS) {
    const forged = `${text}{"level":"fatal","message":"forged"}`.replaceAll('"', '%22');
    const answers = [
      await ask(site, door, {
        ...known,
        path: `${known === undefined ? base : `${known.path}?`}${encodeURI(forged).replaceAll('%25', '%')}`,
      }),
      await ask(site, door, { ...usual(door, 'porch') }, { 'user-agent': `${decode(text)}forged` }),
    ];
    results.push(
      ...answers.map((answer) => (/^(200|201|400) logged \1$/.test(answer) ? 'one event' : answer)),
    );
  }
  return oneOf(results);
};

/** As a header can have it: what Node does not take is left out. */
function decode(text: string): string {
  return Buffer.from(text.replaceAll('%', ''), 'hex')
    .toString('latin1')
    .replaceAll(/[\p{Cc}]/gu, '');
}

/** A header of 1 MiB. */
export const hugeHeader: Attack = async (site, door) => {
  const raw = await rawSocket(site.portOf(door));
  raw.socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-A: ');
  await raw.pour(Buffer.alloc(2 ** 16, 'a'), { bytes: 2 ** 20, ms: 3_000 });
  const status = statusesIn(await raw.until(/HTTP/, 2_000));
  const isClosed = await raw.closed(2_000);
  raw.socket.destroy();
  return `${status === '' ? 'no answer' : status}, ${isClosed ? 'closed' : 'open'}`;
};
