import { Agent, request } from 'node:http';
import { type Client, type Load, loadOf } from '../drain/load.js';
import type { Protocol } from '../drain/protocols.js';
import { Parent } from './parent.js';
import { Pm2 } from './pm2.js';
import type { Subject, Way } from './subject.js';

/** How long the process keeps serving its connections in a restart; longer than a caller thinks. */
export const DRAIN_MS = 400;
/** How long a request may take at most. */
const LIMIT_MS = 3_000;
/** The most memory of the parent in MB, and the most of a core in percent. */
const PARENT_LIMITS = { rss: 60, cpu: 1 } as const;
/** The share of a core is judged over at least this time: one restart is a few hundredths of a second of work. */
const JUDGED_FROM_MS = 30_000;

export interface Result {
  readonly restarts: number;
  readonly answered: number;
  readonly lost: number;
  readonly moved: number;
  /** Memory and share of a core of the parent. */
  readonly parent: string;
  /** Why it did not pass; empty where it did. */
  readonly problems: readonly string[];
  readonly reasons: string;
}

export interface RollOptions {
  /** Which code starts and replaces the processes. */
  readonly way: Way;
  readonly rolls: number;
  readonly thinkMs: number;
  /** For what is compared with: it passes where requests are lost. */
  readonly mayLose: boolean;
}

/** Replaces all processes of an app under load, again and again. */
export async function rollScenario(
  protocol: Protocol,
  { way, rolls, thinkMs, mayLose }: RollOptions,
): Promise<Result> {
  const about = { platform: protocol.platform, way, drainMs: DRAIN_MS };
  const parent = await (way === 'pm2' ? Pm2.start(about) : Parent.start(about));
  const problems: string[] = [];
  const load = protocol.load(parent.ports, thinkMs);
  const isHttp1 = protocol.platform === 'express' || protocol.platform === 'fastify';
  const strangers = loadOf(isHttp1 ? newConnections(parent.ports.http) : [], thinkMs);
  const watch = watchLate([load, strangers]);
  const usage = watchUsage(parent);
  try {
    for (let roll = 0; roll < rolls; roll++) await parent.restart();
  } finally {
    await Promise.all([load.finish(), strangers.finish()]);
  }
  const said = usage();
  const late = watch();
  const ended = await parent.stop();
  const lost = load.tally.failed + strangers.tally.failed;
  if (!mayLose) {
    if (lost > 0) problems.push(`${lost} lost`);
    if (late > 0) problems.push(`${late} times a request took longer than ${LIMIT_MS} ms`);
    // The clients of HTTP/2 leave event streams open at the end of the load, which are cut off.
    const hasLeftStreams = protocol.platform.startsWith('h2');
    if (ended !== '0' && !hasLeftStreams) problems.push(`ended with ${ended}`);
    problems.push(...said.problems);
  }
  return {
    restarts: rolls,
    answered: load.tally.answered + strangers.tally.answered,
    lost,
    moved: load.tally.moved,
    parent: said.text,
    problems,
    reasons: [load.tally.reasons(), strangers.tally.reasons()].filter(Boolean).join(', '),
  };
}

/** Counts how often requests are under way for too long; the returned function ends it. */
export function watchLate(loads: readonly Load[]): () => number {
  let late = 0;
  const timer = setInterval(() => {
    const since = Date.now() - LIMIT_MS;
    late += loads.filter(({ tally }) => tally.isWaitingSince(since)).length;
  }, 500);
  return () => {
    clearInterval(timer);
    return late;
  };
}

/** Measures the parent; the returned function ends it. */
export function watchUsage(parent: Subject): () => {
  readonly text: string;
  readonly problems: readonly string[];
} {
  const begun = performance.now();
  const { cpuMs } = parent.usage;
  return () => {
    const now = parent.usage;
    const lastedMs = performance.now() - begun;
    const cpu = ((now.cpuMs - cpuMs) / lastedMs) * 100;
    const text = `${now.rss} MB ${cpu.toFixed(1)} %`;
    const isSmall =
      now.rss <= PARENT_LIMITS.rss && (cpu <= PARENT_LIMITS.cpu || lastedMs < JUDGED_FROM_MS);
    return { text, problems: isSmall ? [] : [`the parent takes ${text}`] };
  };
}

/** Clients that open a connection for each request. */
function newConnections(port: number): readonly Client[] {
  return Array.from({ length: 8 }, (): Client => async (tally, stop, think) => {
    while (!stop.aborted) {
      await tally.request('new connection', 'now', ask(port, new Agent()));
      await think();
    }
  });
}

/** The body of the answer, or what went wrong. */
export function ask(port: number, agent: Agent, path = '/now'): Promise<string> {
  return new Promise((resolve) => {
    const sent = request({ port, host: '127.0.0.1', path, agent }, (response) => {
      let body = '';
      response.on('data', (data: Buffer) => (body += String(data)));
      response.on('end', () =>
        resolve(response.statusCode === 200 ? body : `${response.statusCode}`),
      );
      response.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

/** Clients that keep their connection, and only ask for one path. */
export function keepAlive(port: number, count: number, path = '/now'): readonly Client[] {
  return Array.from({ length: count }, (): Client => async (tally, stop, think) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stop.aborted) {
      await tally.request('keep-alive', 'now', ask(port, agent, path));
      await think();
    }
    agent.destroy();
  });
}
