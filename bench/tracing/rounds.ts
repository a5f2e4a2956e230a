// Loads the servers slice by slice in turn, and says what tracing adds to each.
import { Client, credentials } from '@grpc/grpc-js';
import autocannon from 'autocannon';
import { CALLS, type Measured } from '../grpc/calls.ts';
import { median } from '../shapes/clock.ts';
import { type Reading, Subject } from './subject.ts';

type Load = (port: number) => Promise<{ count: number; seconds: number }>;

const rounds = Number(process.env['ROUNDS']);
const sliceMs = Number(process.env['SLICE_MS']);
const warmUpMs = Number(process.env['WARM_UP_MS']);
const parts = (process.env['PARTS'] ?? '').split(',');
const nest11 = process.env['NEST_11'] ?? '';
const CONNECTIONS = 32;
const STREAMS = ['unary, small', 'unary, answer of 100', 'stream of 1,000 answers'];

const own = (name: string): string => new URL(`./${name}.mjs`, import.meta.url).pathname;

console.log(
  `Medians of ${rounds} interleaved rounds of ${sliceMs} ms, Node ${process.version}; ratios are ` +
    'medians of the ratios within each round',
);
if (parts.includes('grpc')) await grpc();
if (parts.includes('http')) await http();

/** gRPC at 100 % and at 0 %, beside a server without the module. */
async function grpc(): Promise<void> {
  for (const measured of CALLS.filter(({ name }) => STREAMS.includes(name))) {
    const subjects = await started([
      new Subject('untraced', own('grpc-app'), 'untraced', 0),
      new Subject('sampled at 100 %', own('grpc-app'), 'sampled', 1),
      new Subject('sampled at 0 %', own('grpc-app'), 'unsampled', 0),
    ]);
    const clients = new Map<number, Client>();
    await measure(subjects, (forMs) => (port) => {
      const client =
        clients.get(port) ?? new Client(`127.0.0.1:${port}`, credentials.createInsecure());
      clients.set(port, client);
      return calls(client, measured, forMs);
    });
    const [untraced, all, none] = subjects as [Subject, Subject, Subject];
    console.log(`\ngRPC, ${measured.name}`);
    for (const one of subjects) console.log(lineOf(one, untraced));
    console.log(
      `rate at 100 %: ${ratio(all, untraced, 'rate')} × untraced (goal 0.90), ` +
        `at 0 %: ${ratio(none, untraced, 'rate')} (goal 0.98)`,
    );
    for (const client of clients.values()) client.close();
    for (const one of subjects) one.stop();
  }
}

/** HTTP on Fastify, beside the instrumentations of OpenTelemetry in an app that they can patch. */
async function http(): Promise<void> {
  const theirs = `${nest11}/app.cjs`;
  const subjects = await started([
    new Subject('apix: untraced', own('http-app'), 'untraced', 0),
    new Subject('apix: TracingModule', own('http-app'), 'sampled', 1),
    new Subject('apix: sampled at 0 %', own('http-app'), 'unsampled', 0),
    new Subject('Nest 11: untraced', theirs, 'untraced', 0),
    // One of HTTP, and two of Nest: the controller and the handler.
    new Subject('Nest 11: instrumentation-http, -nestjs-core', theirs, 'traced', 3),
  ]);
  await measure(subjects, (forMs) => (port) => requests(port, forMs));
  const [ours, traced, , plain, patched] = subjects as [
    Subject,
    Subject,
    Subject,
    Subject,
    Subject,
  ];
  console.log('\nHTTP on Fastify');
  for (const one of subjects) console.log(lineOf(one, subjects.indexOf(one) < 3 ? ours : plain));
  const [mine, other] = [added(traced, ours), added(patched, plain)];
  const ofRounds = mine.map((one, round) => one / other[round]);
  console.log(
    `added CPU: ${median(mine).toFixed(1)} µs by apix, ${median(other).toFixed(1)} µs by the ` +
      `instrumentations: ${median(ofRounds).toFixed(2)} × theirs (goal 0.5)`,
  );
  for (const one of subjects) one.stop();
}

async function started(subjects: Subject[]): Promise<Subject[]> {
  for (const subject of subjects) await subject.listening();
  return subjects;
}

async function measure(subjects: Subject[], load: (forMs: number) => Load): Promise<void> {
  for (const subject of subjects) await subject.slice(load(warmUpMs));
  for (let round = 0; round < rounds; round++) {
    // Another one begins each round.
    for (let turn = 0; turn < subjects.length; turn++) {
      const subject = subjects[(round + turn) % subjects.length];
      subject.readings.push(await subject.slice(load(sliceMs)));
    }
  }
  for (const subject of subjects) await subject.expectSpans();
}

async function calls(
  client: Client,
  measured: Measured,
  forMs: number,
): Promise<{ count: number; seconds: number }> {
  const begun = performance.now();
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < begun + forMs) {
      await measured.call(client);
      count++;
    }
  };
  await Promise.all(Array.from({ length: measured.atOnce }, lane));
  return { count, seconds: (performance.now() - begun) / 1_000 };
}

async function requests(port: number, forMs: number): Promise<{ count: number; seconds: number }> {
  const begun = performance.now();
  const {
    requests: made,
    non2xx,
    errors,
  } = await autocannon({
    url: `http://127.0.0.1:${port}/orders/o-17`,
    connections: CONNECTIONS,
    duration: forMs / 1_000,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} requests failed`);
  return { count: made.total, seconds: (performance.now() - begun) / 1_000 };
}

function lineOf(one: Subject, base: Subject): string {
  const middle = (key: keyof Reading): number => median(one.readings.map((it) => it[key]));
  const more = one === base ? '' : `, ${median(added(one, base)).toFixed(1)} µs added`;
  return (
    `${one.name.padEnd(44)} ${middle('rate').toFixed(0).padStart(6)}/s ` +
    `(${ratio(one, base, 'rate')}), ${middle('cpu').toFixed(1).padStart(7)} µs of CPU${more}`
  );
}

/** Microseconds of CPU a request, in each round. */
function added(one: Subject, base: Subject): number[] {
  return one.readings.map(({ cpu }, round) => cpu - base.readings[round].cpu);
}

function ratio(one: Subject, base: Subject, key: keyof Reading): string {
  return median(one.readings.map((it, round) => it[key] / base.readings[round][key])).toFixed(3);
}
