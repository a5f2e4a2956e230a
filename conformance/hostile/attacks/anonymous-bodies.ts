import { httpCall } from '../http-call.js';
import { ask, bodyAt, oneOf, usual } from '../knock.js';
import type { Attack } from '../row.js';

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
    answers.push(await ask(site, door, { method: method!, path, body, headers }));
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

/** Every 100 ms one body of so many bytes, for three seconds; counts for how long the loop was held. */
export const costlyBodiesAtSpeed =
  (bytes: number, limitMs: number): Attack =>
  async (site, door) => {
    const app = door.endsWith('over the network') ? site.front : site.house;
    const bodies = costlyBodies(bytes).map((body) => bodyAt(door, body));
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
  };

function pause(ms = 3_000): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
