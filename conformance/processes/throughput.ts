import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Parent } from './parent.js';
import { ask, type Result } from './rolls.js';
import { usageOf } from './subject.js';

const CLIENTS = 24;
/** Of each process: by time, two would be half as warm as one. */
const WARM_UP_REQUESTS = 100_000;

interface Round {
  /** Of all processes and the parent, in microseconds. */
  readonly cpuPerRequest: number;
  readonly perSecond: number;
}

/**
 * What a request costs in one process and in two. The load runs on the same cores, so that throughput alone would say
 * little: by the time on a processor, n cores answer n times as many as one if a request costs the same.
 */
export async function throughputScenario(rounds: number, roundMs: number): Promise<Result> {
  const of: Record<1 | 2, Round[]> = { 1: [], 2: [] };
  let answered = 0;
  for (let round = 0; round < rounds; round++) {
    for (const count of [1, 2] as const) {
      const parent = await Parent.start({ platform: 'express', way: 'hostx', drainMs: 0, count });
      const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
      const isOver = new AbortController();
      const seen = { requests: 0 };
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!isOver.signal.aborted) {
          if ((await ask(parent.ports.http, agent)) === 'now') seen.requests += 1;
        }
      });
      while (seen.requests < count * WARM_UP_REQUESTS) await sleep(50);
      const before = { requests: seen.requests, cpuMs: cpuOf(parent), at: performance.now() };
      await sleep(roundMs);
      const served = seen.requests - before.requests;
      of[count].push({
        cpuPerRequest: ((cpuOf(parent) - before.cpuMs) * 1_000) / served,
        perSecond: (served * 1_000) / (performance.now() - before.at),
      });
      answered += served;
      isOver.abort();
      await Promise.all(clients);
      agent.destroy();
      await parent.stop();
    }
  }
  const [one, two] = [medianOf(of[1]), medianOf(of[2])];
  const gain = (2 * one.cpuPerRequest) / two.cpuPerRequest;
  return {
    restarts: 0,
    answered,
    lost: 0,
    moved: 0,
    parent: '',
    problems: gain < 1.9 ? [`two cores answer only ${gain.toFixed(2)} times as many`] : [],
    reasons:
      `CPU per request ${one.cpuPerRequest.toFixed(0)} µs in one process, ${two.cpuPerRequest.toFixed(0)} µs in two with ` +
      `their parent: ${gain.toFixed(2)} × per two cores; with the load on the same cores ${one.perSecond.toFixed(0)} and ` +
      `${two.perSecond.toFixed(0)} requests/s`,
  };
}

function cpuOf(parent: Parent): number {
  const own = parent.usage.cpuMs;
  return parent.pids.reduce((sum, pid) => sum + usageOf(pid).cpuMs, own);
}

function medianOf(rounds: readonly Round[]): Round {
  const middle = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  return {
    cpuPerRequest: middle(rounds.map(({ cpuPerRequest }) => cpuPerRequest)),
    perSecond: middle(rounds.map(({ perSecond }) => perSecond)),
  };
}
