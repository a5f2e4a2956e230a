import { join } from 'node:path';
import { load, measure, median } from './measure.mjs';
import { ended, start } from './processes.mjs';

const GOAL = 2;
const STATELESS = '2026-07-28';
const WITH_SESSIONS = '2025-11-25';
const PREFIX = 'io.modelcontextprotocol/';
const INFO = { name: 'bench', version: '1.0.0' };

const post = (message, more) => ({
  path: '/mcp',
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: 'Bearer ada',
    ...more,
  },
  body: JSON.stringify({ jsonrpc: '2.0', ...message }),
});

/** Requests of a session that are under way together have an id each: one for each connection. */
function withIds({ body, ...asked }) {
  let connection = 0;
  const setupClient = (client) => {
    connection += 1;
    client.setBody(body.replace('"id":1', `"id":${connection}`));
  };
  return { ...asked, body, setupClient };
}

const CALL = { name: 'Catalog_Get', arguments: { name: 'products/pot' } };

/** How a client of each revision calls the tool; `begin` says hello, where that is needed. */
const REVISIONS = [
  {
    name: `${STATELESS}, stateless`,
    env: {},
    begin: () => {
      const meta = {
        [`${PREFIX}protocolVersion`]: STATELESS,
        [`${PREFIX}clientCapabilities`]: {},
        [`${PREFIX}clientInfo`]: INFO,
      };
      return post(
        { id: 1, method: 'tools/call', params: { ...CALL, _meta: meta } },
        {
          'mcp-protocol-version': STATELESS,
          'mcp-method': 'tools/call',
          'mcp-name': CALL.name,
        },
      );
    },
  },
  {
    name: `${WITH_SESSIONS}, session`,
    env: { SESSIONS: 'yes' },
    begin: async (port) => {
      const params = { protocolVersion: WITH_SESSIONS, capabilities: {}, clientInfo: INFO };
      const hello = await send(port, post({ id: 0, method: 'initialize', params }));
      const session = {
        'mcp-session-id': hello.headers.get('mcp-session-id'),
        'mcp-protocol-version': WITH_SESSIONS,
      };
      await send(port, post({ method: 'notifications/initialized' }, session));
      return post({ id: 1, method: 'tools/call', params: CALL }, session);
    },
  },
];

function send(port, { path, ...request }) {
  return fetch(`http://127.0.0.1:${port}${path}`, request);
}

/** Who serves the tool; the last is ours. */
const SERVERS = [
  { name: 'official SDK on node:http', file: 'tool-sdk', env: { BARE: 'yes' } },
  { name: 'official SDK on Fastify', file: 'tool-sdk', env: {} },
  { name: 'apix on Fastify', file: 'tool-app', env: {} },
];

/** The tool of a server, as a client calls it; throws unless it answers with the product. */
async function begun({ name, file, env: own }, folder, env, revision) {
  const all = { ...env, ...own, ...revision.env };
  const { child, port } = await start(join(folder, `${file}.mjs`), all);
  const asked = await revision.begin(port);
  const answer = await send(port, asked);
  const text = await answer.text();
  const { result } = JSON.parse(text);
  if (result?.structuredContent?.tags.length !== 24) throw new Error(`${name}: ${text}`);
  return { name, port, children: [child], asked, bytes: text.length };
}

async function warm(one, how, requests) {
  for (let made = 0; made < requests;) made += (await load(one, withIds(one.asked), how)).total;
}

/** A row for each server and revision: a tool of apix beside one that is written with the official SDK, by turns. */
export async function measureTools(folder, env, { starts, rounds, warmUp, ...how }) {
  for (const revision of REVISIONS) {
    const results = SERVERS.map(() => []);
    for (let started = 0; started < starts; started++) {
      const all = [];
      try {
        for (const server of SERVERS) all.push(await begun(server, folder, env, revision));
        for (const one of all) await warm(one, how, warmUp);
        for (let round = 0; round < rounds; round++) {
          for (const [i, one] of all.entries()) {
            results[i].push({ ...(await measure(one, withIds(one.asked), how)), bytes: one.bytes });
          }
        }
      } finally {
        const children = all.flatMap((one) => one.children);
        for (const child of children) child.kill('SIGTERM');
        await Promise.all(children.map(ended));
      }
    }
    print(revision, results);
  }
}

function print(revision, results) {
  const ours = results.at(-1);
  console.log(`MCP ${revision.name}`);
  for (const [i, { name }] of SERVERS.entries()) {
    const column = (key, digits = 0) =>
      median(results[i].map((result) => result[key])).toFixed(digits);
    const perCpu = median(ours.map(({ cpuUs }, at) => results[i][at].cpuUs / cpuUs));
    const goal = ` (goal ${GOAL}: ${perCpu >= GOAL ? 'yes' : 'NO'})`;
    console.log(
      `${name.padEnd(26)} ${column('cpuUs').padStart(4)} µs of CPU a call, ${column('perSecond')} calls/s, ` +
        `${column('bytes')} bytes, load ${column('loadUs')} µs` +
        (results[i] === ours ? '' : `; apix makes ${perCpu.toFixed(2)} × its calls per CPU${goal}`),
    );
  }
}
