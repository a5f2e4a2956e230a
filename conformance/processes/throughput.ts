import { Agent } from 'node:http';
import { Parent } from './parent.js';
import { ask, type Result } from './rolls.js';
import { usageOf } from './subject.js';

const CLIENTS = 24;
/** Of each process: by time, two would be half as warm as one. */
const WARM_UP_REQUESTS = 100_000;
/** How many times as many requests as one core two cores answer at least. */
const LEAST_GAIN = 1.9;
/** How much more a request may cost in processes that share a socket than in as many that are apart. */
const MOST_SHARING = 1.03;

/** By how many parents the app is started, and how many processes each has. */
const SETUPS = {
  one: { parents: 1, count: 1 },
  two: { parents: 1, count: 2 },
  /** What two processes cost that have nothing to do with each other: the machine's part. */
  apart: { parents: 2, count: 1 },
} as const;
type Setup = keyof typeof SETUPS;

/** Parents of one setup, warmed up. */
interface Started {
  readonly parents: readonly Parent[];
  readonly agent: Agent;
}

/** What a round of all setups has found. */
type Round = Record<Setup, Measured>;

interface Measured {
  readonly answered: number;
  /** Of all processes and the parents, in microseconds. */
  readonly cpuPerRequest: number;
  readonly perSecond: number;
}

/**
 * What a request costs in one process and in two. The load runs on the same cores, so that throughput alone would say
 * little: by the time on a processor, n cores answer n times as many as one if a request costs the same. All are up
 * from the beginning and take turns, since how fast a machine is changes by half within a minute.
 */
export async function throughputScenario(rounds: number, turnMs: number): Promise<Result> {
  const setups = Object.keys(SETUPS) as Setup[];
  const started = {} as Record<Setup, Started>;
  for (const setup of setups) started[setup] = await start(SETUPS[setup]);
  const seen: Round[] = [];
  for (let at = 0; at < rounds; at++) {
    const round = {} as Round;
    for (const setup of setups) round[setup] = await measure(started[setup], turnMs);
    seen.push(round);
  }
  for (const setup of setups) await stop(started[setup]);
  const gain = middle(seen.map(({ one, two }) => (2 * one.cpuPerRequest) / two.cpuPerRequest));
  const sharing = middle(seen.map(({ two, apart }) => two.cpuPerRequest / apart.cpuPerRequest));
  const isEnough = gain >= LEAST_GAIN || sharing <= MOST_SHARING;
  const each = (figure: keyof Measured, digits: number): string[] =>
    setups.map((setup) => middle(seen.map((round) => round[setup][figure])).toFixed(digits));
  const [one, two, apart] = each('cpuPerRequest', 1);
  return {
    restarts: 0,
    answered: seen.flatMap((round) => setups.map((setup) => round[setup].answered)).reduce(sum, 0),
    lost: 0,
    moved: 0,
    parent: '',
    problems: isEnough ? [] : [`two cores answer only ${gain.toFixed(2)} times as many`],
    reasons:
      `CPU per request ${one} µs in one process, ${two} µs in two with their parent: ${gain.toFixed(2)} × per two ` +
      `cores; ${apart} µs in two that share nothing: sharing costs ${((sharing - 1) * 100).toFixed(1)} %; with the ` +
      `load on the same cores ${each('perSecond', 0).join(', ')} requests/s`,
  };
}

async function start({ parents: many, count }: (typeof SETUPS)[Setup]): Promise<Started> {
  const about = { platform: 'express', way: 'hostx', drainMs: 0, count } as const;
  const parents: Parent[] = [];
  for (let at = 0; at < many; at++) parents.push(await Parent.start(about));
  const started = { parents, agent: new Agent({ keepAlive: true, maxSockets: CLIENTS / many }) };
  const isWarm = (requests: number): boolean => requests >= many * count * WARM_UP_REQUESTS;
  await load(started, isWarm);
  return started;
}

async function stop({ parents, agent }: Started): Promise<void> {
  agent.destroy();
  for (const parent of parents) await parent.stop();
}

async function measure(started: Started, turnMs: number): Promise<Measured> {
  const before = cpuOf(started.parents);
  const at = performance.now();
  const answered = await load(started, () => performance.now() - at >= turnMs);
  const seconds = (performance.now() - at) / 1_000;
  const cpuMs = cpuOf(started.parents) - before;
  return {
    answered,
    cpuPerRequest: (cpuMs * 1_000) / answered,
    perSecond: answered / seconds,
  };
}

/** Asks until enough has been answered, and resolves with how much that was. */
async function load(
  { parents, agent }: Started,
  isEnough: (answered: number) => boolean,
): Promise<number> {
  let answered = 0;
  const clients = Array.from({ length: CLIENTS }, async (_, at) => {
    const { http } = parents[at % parents.length]!.ports;
    while (!isEnough(answered)) if ((await ask(http, agent)) === 'now') answered += 1;
  });
  await Promise.all(clients);
  return answered;
}

function cpuOf(parents: readonly Parent[]): number {
  return parents
    .flatMap(({ usage, pids }) => [usage, ...pids.map(usageOf)])
    .map(({ cpuMs }) => cpuMs)
    .reduce(sum, 0);
}

function sum(a: number, b: number): number {
  return a + b;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
