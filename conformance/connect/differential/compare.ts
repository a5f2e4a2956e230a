import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from '../servers/server.js';
import { Connection } from '../wire/connection.js';
import { makeCalls } from './calls.js';
import { DIFFERENCES, type Difference } from './differences.js';
import { type Observation, observe } from './observe.js';
import type { RawCall } from './polite.js';
import { Random } from '../../random.js';

/** Of the calls that are made unless others are asked for. */
export const SEED = 1;
const CALLS = 500;
/** Lists the differences for users. */
const PAGE = '../../docs/compatibility.md';
const AT_ONCE = 8;

/** The same calls to both; returns in what they differ without a reason, and reasons without a difference. */
export async function compareServers(
  theirs: Server,
  ours: Server,
  seed: number,
): Promise<readonly string[]> {
  const calls = makeCalls(new Random(seed), CALLS);
  const connections = [theirs, ours].map(({ ports }) => ({
    1: new Connection({ port: ports.http1, version: 1, isTls: false }),
    2: new Connection({ port: ports.h2c, version: 2, isTls: false }),
  }));
  const wrong: string[] = [];
  const seen = new Map<Difference, number>();
  const queue = calls.values();
  const worker = async (): Promise<void> => {
    for (const call of queue) {
      const [their, our] = await Promise.all(
        connections.map((of) => observe(call, of[call.version])),
      );
      const parts = differing(their!, our!);
      if (parts.length === 0) continue;
      const [theirLine, ourLine] = [lineOf(their!), lineOf(our!)];
      const known = DIFFERENCES.find(
        (each) =>
          each.calls.test(call.name) && each.theirs.test(theirLine) && each.ours.test(ourLine),
      );
      if (known !== undefined) seen.set(known, (seen.get(known) ?? 0) + 1);
      else
        wrong.push(
          `${shown(call)}: ${parts.join()}\n  connect-node ${theirLine}\n  apix         ${ourLine}`,
        );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const of of connections) for (const connection of Object.values(of)) connection.close();
  const documented = readFileSync(join(process.env['CONNECT_HERE']!, PAGE), 'utf8');
  for (const known of DIFFERENCES) {
    if (!documented.includes(`\n- ${known.reason}\n`)) {
      wrong.push(`docs/compatibility.md does not list: ${known.reason}`);
    }
    const count = seen.get(known) ?? 0;
    console.log(`  differs ${count} times: ${known.reason}`);
    if (count === 0 && seed === SEED) wrong.push(`no call differs as listed: ${known.reason}`);
  }
  console.log(
    `${calls.length} calls to both servers (seed ${seed}): ${wrong.length} not as they must be`,
  );
  return wrong;
}

function differing(theirs: Observation, ours: Observation): string[] {
  const parts = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  return [...parts].filter((part) => theirs[part] !== ours[part]);
}

function lineOf({ status, headers = '', end = '', messages = '' }: Observation): string {
  const body = messages === '' ? 'no messages' : messages.slice(0, 1_000);
  return [status, headers, end, body].join(' | ').replaceAll('\n', '; ');
}

function shown({ name, head, version }: RawCall): string {
  return `${name} (${head.method} ${head.path.slice(0, 120)} HTTP/${version}, ${String(head.headers['content-type'])})`;
}
