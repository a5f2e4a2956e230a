import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { type Child, type Program, program } from '../../../../tools/testing/program.js';
import { PROBE } from '../client.fixture.js';
import { channelOf, createClient } from '../client/create-client.js';
import { Probe, failureOfCall } from '../client/probe-service.fixture.js';

interface Line {
  readonly name: string;
  readonly port?: number;
  readonly id?: string;
  readonly trace?: string;
  readonly secret?: number;
  readonly leftMs?: number;
  readonly cancelledAt?: number;
}

let hop: Program;
const children: Child[] = [];
beforeAll(async () => {
  hop = await program(new URL('hop-process.fixture.ts', import.meta.url));
});
afterEach(async () => {
  for (const child of children) child.process.kill();
  await Promise.all(children.splice(0).map(({ ended }) => ended));
});
afterAll(() => hop.remove());

/** Starts a server that calls the one at `next`, and resolves with its port. */
async function start(name: string, next: number | undefined, lines: Line[]): Promise<number> {
  const child = hop.run(PROBE, name, String(next ?? ''));
  children.push(child);
  createInterface(child.process.stdout!).on('line', (line) => lines.push(JSON.parse(line) as Line));
  const portOf = (): number | undefined => lines.find((line) => line.name === name)?.port;
  await until(() => portOf() !== undefined);
  return portOf()!;
}

describe('a call through three processes', () => {
  it('has one request id and trace, less time at each hop, and is cancelled to its end', async () => {
    const lines: Line[] = [];
    const c = await start('C', undefined, lines);
    const b = await start('B', c, lines);
    const a = await start('A', b, lines);
    const client = createClient(Probe, { endpoint: `127.0.0.1:${a}` });
    const stop = new AbortController();
    const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { 'x-request-id': 'one-id', traceparent: trace, authorization: 'Bearer x' };
    const call = failureOfCall(client.unary({}, { headers, signal: stop.signal, timeout: '50s' }));
    const seen = (): Line[] => lines.filter(({ leftMs }) => leftMs !== undefined);
    await until(() => seen().length === 3);
    const cancelledAt = Date.now();
    stop.abort();
    await call;
    const ended = (): Line[] => lines.filter((line) => line.cancelledAt !== undefined);
    await until(() => ended().length === 3);
    expect(seen().map(({ name, id, secret }) => [name, id, secret])).toEqual([
      ['A', 'one-id', 1],
      ['B', 'one-id', 0],
      ['C', 'one-id', 0],
    ]);
    expect(seen().map((line) => line.trace)).toEqual([trace, trace, trace]);
    const [atA, atB, atC] = seen().map(({ leftMs }) => leftMs!);
    expect(atA! - atB!).toBeGreaterThanOrEqual(40);
    expect(atB! - atC!).toBeGreaterThanOrEqual(40);
    const delays = ended().map(
      ({ name, cancelledAt: at }) => `${name} after ${at! - cancelledAt} ms`,
    );
    process.stdout.write(
      `time left: A ${atA} ms, B ${atB} ms, C ${atC} ms; cancelled: ${delays.join(', ')}\n`,
    );
    await channelOf(client).close();
  });
});
