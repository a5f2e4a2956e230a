// Has each client call the one server in turn, round by round, and prints what they took.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { median } from '../shapes/clock.ts';
import type { Order, Reading } from './calling.ts';
import { CALLS } from './calls.ts';

const FILES: Readonly<Record<string, readonly [file: string, ...args: string[]]>> = {
  'grpc-js': ['bare', 'apix'],
  'grpc-js, protobuf-es': ['bare', 'es'],
  'grpc-js, proto-loader': ['bare', 'loader'],
  apix: ['apix'],
  'apix, before': ['before/apix'],
  'apix, no network': ['apix-alone'],
  'apix, no network, before': ['before/apix-alone'],
  'nice-grpc': ['nice-grpc'],
  'connect-node': ['connect'],
  'Nest ClientGrpc': ['nest'],
};
/** What the others are held against: grpc-js with the fastest of the codecs, which apix has too. */
const REFERENCE = 'grpc-js';
const OURS = 'apix';
const GOAL = 0.95;

const { ROUNDS, SLICE_MS, WARM_UP_MS, CLIENTS, KINDS, PROFILE } = process.env as Record<
  string,
  string
>;
const rounds = Number(ROUNDS);
const clients = CLIENTS.split(';');
const BARE = clients.includes(REFERENCE) ? REFERENCE : clients[0];
const kinds = Object.keys(CALLS).filter((kind) => KINDS === '' || KINDS.split(';').includes(kind));

const execArgv = PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILE}`];

async function started(file: string, args: readonly string[], target?: string) {
  const env = { ...process.env, ...(target !== undefined && { TARGET: target }) };
  const child = fork(new URL(`./${file}.mjs`, import.meta.url), args, { env, execArgv });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  const [first] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  ended.catch(() => process.exit(1));
  return { child, first };
}

async function measure(child: ChildProcess, order: Order): Promise<Reading> {
  child.send(order);
  const [reading] = (await once(child, 'message')) as [Reading];
  return reading;
}

const server = await started('server', []);
const target = `127.0.0.1:${server.first.port}`;
const children = new Map<string, ChildProcess>();
for (const name of clients) {
  const [file, ...args] = FILES[name];
  children.set(name, (await started(file, args, target)).child);
}

console.log(
  `Medians of ${rounds} interleaved rounds of ${SLICE_MS} ms of CPU, Node ${process.version}; CPU is that of ` +
    `the client. Ratios are to ${BARE}, round by round: of the rates, and in brackets what ${BARE} ` +
    'takes of CPU by what the client takes; more is better.',
);
const goals: string[] = [];
for (const kind of kinds) {
  const readings = new Map<string, Reading[]>(clients.map((name) => [name, []]));
  for (const child of children.values()) await measure(child, { kind, cpuMs: Number(WARM_UP_MS) });
  for (let round = 0; round < rounds; round++) {
    // Another one begins each round.
    for (let turn = 0; turn < clients.length; turn++) {
      const name = clients[(round + turn) % clients.length];
      const order = { kind, cpuMs: Number(SLICE_MS) };
      readings.get(name)!.push(await measure(children.get(name)!, order));
    }
  }
  const middle = (name: string, key: keyof Reading): number =>
    median(readings.get(name)!.map((one) => one[key]));
  const bare = readings.get(BARE)!;
  const rate = (name: string): number =>
    median(readings.get(name)!.map((one, round) => one.rate / bare[round].rate));
  const cpu = (name: string): number =>
    median(readings.get(name)!.map((one, round) => bare[round].cpu / one.cpu));
  const best = (name: string): number => Math.min(...readings.get(name)!.map((one) => one.cpu));
  // Without a network it is none of their race.
  const ratios = (name: string): string =>
    name.includes('no network') && BARE === REFERENCE
      ? ''
      : `; ${rate(name).toFixed(2)} (${cpu(name).toFixed(2)})`;
  console.log(`\n${kind}, ${CALLS[kind].atOnce} at once`);
  for (const name of clients) {
    console.log(
      `${name.padEnd(24)} ${middle(name, 'rate').toFixed(0).padStart(7)} calls/s, CPU ` +
        `${middle(name, 'cpu').toFixed(1).padStart(7)} µs, at best ` +
        `${best(name).toFixed(1).padStart(7)}${ratios(name)}`,
    );
  }
  if (!children.has(OURS) || BARE !== REFERENCE) continue;
  const ours = rate(OURS);
  goals.push(`${kind}: ${ours.toFixed(2)} ≥ ${GOAL} × ${BARE}: ${ours >= GOAL ? 'yes' : 'NO'}`);
  const others = clients.filter((name) => !name.startsWith(REFERENCE) && !name.startsWith(OURS));
  for (const name of others.filter((other) => rate(other) >= ours)) {
    goals.push(`${kind}: ahead of ${name}: NO`);
  }
}
console.log(`\n${goals.join('\n')}`);
for (const child of [server.child, ...children.values()]) {
  child.removeAllListeners('exit');
  child.disconnect();
}
