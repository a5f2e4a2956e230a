import { httpCall } from '../http-call.js';
import { ask, bodyAt, oneOf, usual } from '../knock.js';
import { toolBody } from '../mcp-call.js';
import type { Attack } from '../row.js';
import type { Door, Site } from '../site.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Bodies from which who may not call must learn nothing. */
const BODIES: readonly { readonly body: string; readonly headers: Record<string, string> }[] = [
  { body: '{"nope":1}', headers: JSON_TYPE },
  { body: '{"text":', headers: JSON_TYPE },
  { body: '{"text":7}', headers: JSON_TYPE },
  { body: `{"payload":"${'*'.repeat(64)}"}`, headers: JSON_TYPE },
  { body: `${'{"child":'.repeat(150)}{}${'}'.repeat(150)}`, headers: JSON_TYPE },
  { body: 'nope=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  {
    body: `${'child.'.repeat(150)}text=1`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
];

/** Bad bodies for a method of others. */
export const anonymousBodies: Attack = async (site, door) => {
  const { method, path } = usual(door, 'vault');
  const answers: string[] = [];
  for (const { body, headers } of BODIES) {
    // Around arguments that have no end there is no message.
    if (door === 'MCP' && (headers !== JSON_TYPE || body === '{"text":')) continue;
    const sent = door === 'MCP' ? usual(door, 'vault').headers : headers;
    const request = { method: method!, path, body: bodyAt(door, body, 'vault'), headers: sent! };
    answers.push(await ask(site, door, request));
  }
  return oneOf(answers);
};

/** What costs most to read of so many bytes, as far as we know. */
function costlyBodies(bytes: number): readonly string[] {
  const many = (one: string): string => one.repeat(Math.floor((bytes - 30) / one.length));
  return [
    `{"children":[${many('{},')}{}]}`,
    `{"children":[${many('{"nope":1},')}{}]}`,
    `{${many('"nope":1,')}"text":""}`,
    `{"extra":${many('{"a":')}`,
    `{"text":"${many('\\u00e4')}"}`,
    `{"labels":{${Array.from({ length: bytes / 16 }, (_, i) => `"k${i}":""`).join(',')}}}`,
  ];
}

/** What costs most to read of a message around its arguments. */
function costlyEnvelopes(bytes: number): readonly string[] {
  const many = (one: string): string => one.repeat(Math.floor((bytes - 300) / one.length));
  const names = Array.from({ length: bytes / 16 }, (_, i) => `"${i}":1`).join(',');
  const call = toolBody('Vault_Write', '{}');
  return [
    `{${names}}`,
    `{${many('"a":1,')}"a":1}`,
    call.replace('"params":{', `"params":{${names},`),
    call.replace('"_meta":{', `"_meta":{${names},`),
    call.replace('"_meta":{', `"_meta":{"x":[${many('{},')}{}],`),
    call.replace('"name":"', `"name":"${many('\\u00e4')}`),
    call.replace('"tools/call"', `"${many('\\u202e')}"`),
    call.replace('"id":1', `"id":"${many('x')}"`),
    call.replace('"id":1', `"id":1${many('0')}`),
    many('['),
    many(' '),
  ];
}

/** Every 100 ms one body of so many bytes, for three seconds; counts for how long the loop was held. */
export const costlyBodiesAtSpeed =
  (bytes: number, limitMs: number): Attack =>
  (site, door) =>
    atSpeed(
      site,
      door,
      costlyBodies(bytes).map((body) => bodyAt(door, body, 'vault')),
      limitMs,
    );

export const costlyEnvelopesAtSpeed =
  (bytes: number, limitMs: number): Attack =>
  (site, door) =>
    atSpeed(site, door, costlyEnvelopes(bytes), limitMs);

async function atSpeed(
  site: Site,
  door: Door,
  bodies: readonly (string | Uint8Array)[],
  limitMs: number,
): Promise<string> {
  const app = door.endsWith('over the network') ? site.front : site.house;
  const statuses: Promise<string>[] = [];
  await app.condition();
  await pause();
  const idle = (await app.condition()).heldMs;
  const everyMs = 100;
  for (let i = 0; i < 30; i++) {
    const request = { ...usual(door, 'vault'), body: bodies[i % bodies.length]! };
    statuses.push(
      httpCall(site.portOf(door), request).then(
        ({ status }) => String(status),
        () => 'no answer',
      ),
    );
    await pause(everyMs);
  }
  const came = oneOf(await Promise.all(statuses));
  const { heldMs } = await app.condition();
  const within = heldMs <= limitMs ? 'within' : 'beyond';
  return `${came}; loop held for ${heldMs.toFixed(0)} ms (${idle.toFixed(0)} ms when idle), ${within} ${limitMs} ms`;
}

function pause(ms = 3_000): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
