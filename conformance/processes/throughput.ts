import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
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

interface Round {
  /** Of all processes and the parents, in microseconds. */
  readonly cpuPerRequest: number;
  readonly perSecond: number;
}

/**
 * What a request costs in one process and in two. The load runs on the same cores, so that throughput alone would say
 * little: by the time on a processor, n cores answer n times as many as one if a request costs the same.
 */
export async function throughputScenario(rounds: number, roundMs: number): Promise<Result> {
  const of: Record<Setup, Round[]> = { one: [], two: [], apart: [] };
  let answered = 0;
  for (let round = 0; round < rounds; round++) {
    for (const setup of Object.keys(SETUPS) as Setup[]) {
      const { served, ...measured } = await measure(SETUPS[setup], roundMs);
      of[setup].push(measured);
      answered += served;
    }
  }
  const [one, two, apart] = [medianOf(of.one), medianOf(of.two), medianOf(of.apart)];
  const gain = (2 * one.cpuPerRequest) / two.cpuPerRequest;
  const sharing = two.cpuPerRequest / apart.cpuPerRequest;
  const isEnough = gain >= LEAST_GAIN || sharing <= MOST_SHARING;
  return {
    restarts: 0,
    answered,
    lost: 0,
    moved: 0,
    parent: '',
    problems: isEnough ? [] : [`two cores answer only ${gain.toFixed(2)} times as many`],
    reasons:
      `CPU per request ${one.cpuPerRequest.toFixed(1)} µs in one process, ${two.cpuPerRequest.toFixed(1)} µs in two with ` +
      `their parent: ${gain.toFixed(2)} × per two cores; ${apart.cpuPerRequest.toFixed(1)} µs in two that share nothing: ` +
      `sharing costs ${((sharing - 1) * 100).toFixed(1)} %; with the load on the same cores ${one.perSecond.toFixed(0)}, ` +
      `${two.perSecond.toFixed(0)} and ${apart.perSecond.toFixed(0)} requests/s`,
  };
}

async function measure(
  setup: (typeof SETUPS)[Setup],
  roundMs: number,
): Promise<Round & { readonly served: number }> {
  const { parents: many, count } = setup;
  const about = { platform: 'express', way: 'hostx', drainMs: 0, count } as const;
  const parents: Parent[] = [];
  for (let at = 0; at < many; at++) parents.push(await Parent.start(about));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS / many });
  const isOver = new AbortController();
  const seen = { requests: 0 };
  const clients = Array.from({ length: CLIENTS }, async (_, at) => {
    const { http } = parents[at % many]!.ports;
    while (!isOver.signal.aborted) if ((await ask(http, agent)) === 'now') seen.requests += 1;
  });
  while (seen.requests < many * count * WARM_UP_REQUESTS) await sleep(50);
  const before = { requests: seen.requests, cpuMs: cpuOf(parents), at: performance.now() };
  await sleep(roundMs);
  const served = seen.requests - before.requests;
  const measured = {
    served,
    cpuPerRequest: ((cpuOf(parents) - before.cpuMs) * 1_000) / served,
    perSecond: (served * 1_000) / (performance.now() - before.at),
  };
  isOver.abort();
  await Promise.all(clients);
  agent.destroy();
  for (const parent of parents) await parent.stop();
  return measured;
}

function cpuOf(parents: readonly Parent[]): number {
  return parents
    .flatMap(({ usage, pids }) => [usage, ...pids.map(usageOf)])
    .reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

function medianOf(rounds: readonly Round[]): Round {
  const middle = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return {
    cpuPerRequest: middle(rounds.map(({ cpuPerRequest }) => cpuPerRequest)),
    perSecond: middle(rounds.map(({ perSecond }) => perSecond)),
  };
}
