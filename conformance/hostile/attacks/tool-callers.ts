import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpAnswer, type HttpRequest, httpCall } from '../http-call.js';
import { ask, asked, oneOf, usual } from '../knock.js';
import { MCP_PATH, mcpRequest, REVISIONS } from '../mcp-call.js';
import { rawSocket, statusesIn } from '../raw-socket.js';
import type { Attack } from '../row.js';
import type { Door, Site } from '../site.js';

type Headers = Readonly<Record<string, string>>;

const as = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const KEEPER = as('keeper');

/** A message of a client with a session. */
function sessionRequest(method: string, params: object = {}, id?: number): HttpRequest {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return { method: 'POST', path: MCP_PATH, headers, body };
}

const HELLO = sessionRequest(
  'initialize',
  { protocolVersion: REVISIONS.withSessions, clientInfo: { name: 'stranger', version: '1' } },
  1,
);
const WRITE = sessionRequest('tools/call', { name: 'Vault_Write', arguments: { text: 'a' } }, 2);
const PING = sessionRequest('ping', {}, 2);

async function say(
  site: Site,
  door: Door,
  request: HttpRequest,
  headers: Headers = {},
): Promise<HttpAnswer> {
  const sent = { ...request.headers, ...headers };
  return httpCall(site.portOf(door), { ...request, headers: sent });
}

/** Begins a session; its id. */
async function begin(site: Site, door: Door, headers: Headers = {}): Promise<Headers> {
  const answer = await say(site, door, HELLO, headers);
  return { 'mcp-session-id': String(answer.headers['mcp-session-id']) };
}

/** The session of a keeper for others, who must not learn that it exists. */
export const sessionOfAnother: Attack = async (site, door) => {
  const owners: readonly Headers[] = [KEEPER, { cookie: 'session=keeper' }];
  const all: string[] = [];
  for (const owner of owners) all.push(await visitors(site, door, owner));
  return oneOf(all);
};

async function visitors(site: Site, door: Door, owner: Headers): Promise<string> {
  const session = await begin(site, door, owner);
  const others: readonly Headers[] = [
    {},
    as('guest'),
    as('nobody'),
    { cookie: 'session=guest' },
    { cookie: 'session=keeper', ...as('guest') },
  ];
  const results: string[] = [];
  for (const headers of others) {
    for (const request of [WRITE, PING, { ...PING, method: 'DELETE', body: '' }]) {
      const { status, text } = await say(site, door, request, { ...session, ...headers });
      const isRefused = status === 404 || status === 401;
      results.push(isRefused ? 'refused' : `${status} to ${JSON.stringify(headers)}: ${text}`);
    }
  }
  const { status } = await say(site, door, PING, { ...session, ...owner });
  return `${oneOf(results)}; its caller gets ${status}`;
}

/** Ids that nobody was given. */
export const guessedSessions: Attack = async (site, door) => {
  const ids = [
    '',
    '0',
    '__proto__',
    'constructor',
    'x'.repeat(32),
    'x'.repeat(10_000),
    '../x',
    'a,b',
  ];
  const results: string[] = [];
  for (const id of ids) {
    const came = await ask(site, door, WRITE, { ...KEEPER, 'mcp-session-id': id });
    results.push(/^40[04] logged 40[04]$/.test(came) ? 'refused' : `${came} to ${id}`);
  }
  return oneOf(results);
};

const SESSIONS = 4_000;
const AT_ONCE = 50;

/** Thousands of sessions of a caller who has not said who it is, while a keeper has one. */
export const floodOfSessions: Attack = async (site, door) => {
  const session = await begin(site, door, KEEPER);
  const statuses = new Set<string>();
  for (let made = 0; made < SESSIONS; made += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, i) =>
      // As if each were somebody else, which the app does not know either.
      say(site, door, HELLO, i % 2 === 0 ? {} : { cookie: `session=${made + i}` }),
    );
    for (const { status } of await Promise.all(some)) statuses.add(String(status));
  }
  const { status } = await say(site, door, PING, { ...session, ...KEEPER });
  return `${oneOf([...statuses])}; the keeper's session ${status === 200 ? 'goes on' : status}`;
};

/** Names of other hosts and of pages, with the cookie of a keeper. */
export const foreignHosts: Attack = async (site, door) => {
  const cookie = { cookie: 'session=keeper' };
  const evil = 'evil.example';
  const all: readonly Headers[] = [
    { host: evil },
    { host: `localhost.${evil}` },
    { host: `127.0.0.1.${evil}` },
    { host: `localhost@${evil}` },
    { host: `${evil}:80` },
    { host: evil, 'x-forwarded-host': 'localhost' },
    { host: evil, origin: `http://${evil}` },
    { host: 'localhost', origin: `https://${evil}` },
    { host: 'localhost', origin: 'null' },
    { host: 'localhost', origin: `http://localhost.${evil}` },
    { host: 'localhost', origin: `http://localhost@${evil}` },
    { host: 'localhost', origin: 'file://' },
  ];
  const results: string[] = [];
  for (const headers of all) {
    for (const request of [usual(door, 'vault'), mcpRequest('tools/list'), HELLO]) {
      const came = await ask(site, door, request, { ...cookie, ...headers });
      // A host that is not one does not reach any door.
      const isRefused = /^(403 logged 403|400 logged 400)$/.test(came);
      results.push(isRefused ? 'refused' : `${came} to ${JSON.stringify(headers)}`);
    }
  }
  return oneOf(results);
};

/** The list of someone of whom nothing is known for certain: it has nothing, or does not come. */
export const listsOfFaultySubjects: Attack = async (site, door) => {
  const results: string[] = [];
  for (const token of ['throws', 'hangs', 'proxies', 'endless', 'forged.to.ken', 'guest']) {
    const { answer } = await asked(site, door, mcpRequest('tools/list'), as(token));
    const isOpen = answer.text.includes('Vault_');
    const isPublic =
      answer.headers['cache-control'] !== 'no-store' || answer.text.includes('public');
    if (isOpen || isPublic)
      results.push(`${answer.status} to ${token}: ${answer.text.slice(0, 200)}`);
    else results.push('nothing of the vault');
  }
  const { answer } = await asked(site, door, mcpRequest('tools/list'), KEEPER);
  return `${oneOf(results)}; a keeper ${answer.text.includes('Vault_Write') ? 'has it' : 'has nothing'}`;
};

/** Bodies that come a byte at a time are given up, while others are served. */
export const slowBodies: Attack = async (site, door) => {
  const raws = await Promise.all(Array.from({ length: 100 }, () => rawSocket(site.portOf(door))));
  const type = 'Content-Type: application/json\r\nContent-Length: 1000';
  for (const { socket } of raws)
    socket.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${type}\r\n\r\n`);
  const end = performance.now() + 8_000;
  while (performance.now() < end && raws.some((raw) => !raw.isClosed())) {
    for (const raw of raws) if (!raw.isClosed()) raw.socket.write(' ');
    await sleep(100);
  }
  const results = raws.map(
    (raw) => `${statusesIn(raw.received())}, ${raw.isClosed() ? 'closed' : 'open'}`,
  );
  for (const { socket } of raws) socket.destroy();
  return oneOf(results);
};
