// The client, a process of its own: calls a second of each server in turn, round by round.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Client, credentials } from '@grpc/grpc-js';
import { median } from '../shapes/clock.ts';
import { CALLS, type Measured } from './calls.ts';

/** What serves; the first is what the others are held against. */
const SERVERS = {
  'stock Nest': ['nest'],
  'grpc-js, proto-loader': ['bare', 'loader'],
  'grpc-js, protobuf-es': ['bare', 'es'],
  'apix, neither log nor authz': ['apix', 'bare'],
  'apix, log and authz': ['apix', 'chain'],
} as const;
type Name = keyof typeof SERVERS;
const NAMES = Object.keys(SERVERS) as Name[];

const rounds = Number(process.env['ROUNDS']);
const sliceMs = Number(process.env['SLICE_MS']);
/** How long each server is called before it is measured, until its code is compiled. */
const warmUpMs = Number(process.env['WARM_UP_MS']);

interface Target {
  readonly child: ChildProcess;
  readonly client: Client;
}

interface Reading {
  readonly rate: number;
  /** Microseconds of the server's CPU for a call. */
  readonly cpu: number;
}

async function target(name: Name): Promise<Target> {
  const [file, ...args] = SERVERS[name];
  const child = fork(new URL(`./${file}.mjs`, import.meta.url), args);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code}`);
  });
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  ended.catch(() => {});
  return { child, client: new Client(`127.0.0.1:${port}`, credentials.createInsecure()) };
}

async function cpuOf({ child }: Target): Promise<number> {
  child.send('cpu');
  const [{ cpuMs }] = (await once(child, 'message')) as [{ cpuMs: number }];
  return cpuMs;
}

async function measure(of: Target, measured: Measured, forMs = sliceMs): Promise<Reading> {
  const cpu = await cpuOf(of);
  const begun = performance.now();
  const end = begun + forMs;
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      await measured.call(of.client);
      count++;
    }
  };
  await Promise.all(Array.from({ length: measured.atOnce }, lane));
  const seconds = (performance.now() - begun) / 1_000;
  return { rate: count / seconds, cpu: (((await cpuOf(of)) - cpu) * 1_000) / count };
}

const targets = new Map<Name, Target>();
for (const name of NAMES) targets.set(name, await target(name));

console.log(
  `Medians of ${rounds} interleaved rounds of ${sliceMs} ms, Node ${process.version}; ratios are of ` +
    'rates, in brackets of the CPU that the server has used',
);
const chainGoals: string[] = [];
for (const measured of CALLS) {
  const readings = new Map<Name, Reading[]>(NAMES.map((name) => [name, []]));
  for (const of of targets.values()) await measure(of, measured, warmUpMs);
  for (let round = 0; round < rounds; round++) {
    // Another one begins each round.
    for (let turn = 0; turn < NAMES.length; turn++) {
      const name = NAMES[(round + turn) % NAMES.length];
      readings.get(name)!.push(await measure(targets.get(name)!, measured));
    }
  }
  const against = (name: Name, base: Name, key: keyof Reading): string => {
    const bases = readings.get(base)!;
    return median(readings.get(name)!.map((one, round) => one[key] / bases[round][key])).toFixed(2);
  };
  console.log(`\n${measured.name}`);
  for (const name of NAMES) {
    const all = readings.get(name)!;
    const middle = (key: keyof Reading): number => median(all.map((one) => one[key]));
    const beside = (base: Name): string =>
      `${against(name, base, 'rate')} (${against(name, base, 'cpu')}) × ${base}`;
    console.log(
      `${name.padEnd(28)} ${middle('rate').toFixed(0).padStart(6)} calls/s, ` +
        `${middle('cpu').toFixed(0).padStart(6)} µs; ${beside('stock Nest')}, ` +
        beside('grpc-js, proto-loader'),
    );
  }
  const chain = against('apix, log and authz', 'stock Nest', 'rate');
  chainGoals.push(`${measured.name}: ${chain} ≥ 1 × stock Nest: ${met(chain, 1)}`);
  if (measured.streams) {
    const streams = against('apix, neither log nor authz', 'grpc-js, proto-loader', 'rate');
    chainGoals.push(`${measured.name}: ${streams} ≥ 0.95 × grpc-js: ${met(streams, 0.95)}`);
  }
}

function met(ratio: string, goal: number): string {
  return Number(ratio) >= goal ? 'yes' : 'NO';
}

console.log(`\n${chainGoals.join('\n')}`);
for (const { child, client } of targets.values()) {
  client.close();
  child.disconnect();
}
