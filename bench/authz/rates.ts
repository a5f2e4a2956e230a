// The client, a process of its own: requests a second of each server in turn, round by round.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Client, Metadata, credentials } from '@grpc/grpc-js';

const VARIANTS = ['none', 'authz', 'chain'] as const;
type Variant = (typeof VARIANTS)[number];
const GOALS = { none: '', authz: ' (goal 0.95)', chain: ' (goal 0.92)' } as const;

const ROUNDS = Number(process.argv[2] ?? 21);
const SLICE_MS = 500;
const AT_ONCE = 64;

interface Target {
  readonly child: ChildProcess;
  readonly client: Client;
  readonly path: string;
}

interface Reading {
  readonly rate: number;
  /** Milliseconds of the server's CPU for a thousand requests. */
  readonly cpu: number;
}

const same = (bytes: Buffer): Buffer => bytes;
const body = Buffer.alloc(100, 1);
const metadata = new Metadata();

async function target(variant: Variant): Promise<Target> {
  const child = fork(new URL('./server.mjs', import.meta.url), [variant]);
  const [{ port, path }] = (await once(child, 'message')) as [{ port: number; path: string }];
  return { child, client: new Client(`127.0.0.1:${port}`, credentials.createInsecure()), path };
}

async function cpuOf({ child }: Target): Promise<number> {
  child.send('cpu');
  const [{ cpuMs }] = (await once(child, 'message')) as [{ cpuMs: number }];
  return cpuMs;
}

async function measure(of: Target): Promise<Reading> {
  const cpu = await cpuOf(of);
  const begun = performance.now();
  const end = begun + SLICE_MS;
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < end) {
      await new Promise<void>((resolve, reject) => {
        of.client.makeUnaryRequest(of.path, same, same, body, metadata, (error) =>
          error === null ? resolve() : reject(error),
        );
      });
      count++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const seconds = (performance.now() - begun) / 1_000;
  return { rate: count / seconds, cpu: ((await cpuOf(of)) - cpu) / (count / 1_000) };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const targets = new Map<Variant, Target>();
for (const variant of VARIANTS) targets.set(variant, await target(variant));
const readings: Record<Variant, Reading[]> = { none: [], authz: [], chain: [] };
const WARM_UP = 3;
for (let round = 0; round < ROUNDS + WARM_UP; round++) {
  // Another one begins each round.
  for (let turn = 0; turn < VARIANTS.length; turn++) {
    const variant = VARIANTS[(round + turn) % VARIANTS.length];
    const reading = await measure(targets.get(variant)!);
    if (round >= WARM_UP) readings[variant].push(reading);
  }
}
for (const variant of VARIANTS) {
  const all = readings[variant];
  const ratio = (key: keyof Reading): number =>
    median(all.map((one, round) => one[key] / readings.none[round][key]));
  console.log(
    `${variant.padEnd(6)} ${median(all.map(({ rate }) => rate)).toFixed(0)} requests/s, ` +
      `ratio ${ratio('rate').toFixed(3)}${GOALS[variant]}; ` +
      `server CPU ${median(all.map(({ cpu }) => cpu)).toFixed(1)} µs a request, ` +
      `ratio ${ratio('cpu').toFixed(3)}`,
  );
}
for (const { child, client } of targets.values()) {
  client.close();
  child.disconnect();
}
