import { setTimeout as sleep } from 'node:timers/promises';
import { boundSocket } from '../../libs/hostx/src/http/bound-socket.fixture.js';
import { Balancer } from './balancer.js';
import { Instance, type Kind } from './instance.js';
import type { Load, StartLoad } from './load.js';
import type { Ports } from './ports.js';

/** How long clients settle between two restarts at least, in milliseconds. */
const BETWEEN_MS = 300;
/** How long at most, for what stock Nest may have left hanging. */
const PATIENCE_MS = 10_000;

export interface Scenario {
  readonly name: string;
  readonly kind: Kind;
  readonly load: StartLoad;
  /** How long a caller thinks at most before it asks again, in milliseconds. */
  readonly thinkMs: number;
  /** Behind a balancer with two instances, or one instance at a time on an activated socket. */
  readonly shape: 'rolling' | 'activated';
  readonly restarts: number;
  readonly minRequests: number;
  /** For the control: it passes where requests are lost. */
  readonly mustLose: boolean;
}

export interface Result {
  readonly scenario: Scenario;
  readonly answered: number;
  readonly failed: number;
  readonly moved: number;
  readonly seconds: number;
  /** Why it did not pass; empty where it did. */
  readonly problems: readonly string[];
  readonly reasons: string;
}

/** What a scenario does between the start of its load and its end. */
interface Stage {
  readonly ports: Ports;
  /** Replaces an instance; resolves with how the old one ended. */
  restart(): Promise<string>;
  close(): Promise<void>;
}

export async function run(scenario: Scenario): Promise<Result> {
  const begun = Date.now();
  const stage = await (scenario.shape === 'rolling'
    ? rolling(scenario.kind)
    : activated(scenario.kind));
  const problems: string[] = [];
  const load = scenario.load(stage.ports, scenario.thinkMs);
  try {
    for (let round = 0; round < scenario.restarts; round++) {
      await settle(load);
      const ended = await stage.restart();
      if (ended !== '0' && !scenario.mustLose) problems.push(`an instance ended with ${ended}`);
    }
    await enough(load, scenario);
  } finally {
    await load.finish();
    await stage.close();
  }
  const { answered, failed, moved } = load.tally;
  if (scenario.mustLose && failed === 0) problems.push('the control lost nothing');
  if (!scenario.mustLose && failed > 0) problems.push(`${failed} failed`);
  if (answered < scenario.minRequests) problems.push(`only ${answered} requests`);
  return {
    scenario,
    answered,
    failed,
    moved,
    seconds: (Date.now() - begun) / 1_000,
    problems,
    reasons: load.tally.reasons(),
  };
}

/**
 * Until whatever waited for the instance to come up has been answered. On a busy machine that
 * takes longer than the pause, and an instance that stops before it has answered anything is
 * more than a client can be expected to bear: gRPC's send a refused call again once.
 */
async function settle({ tally }: Load): Promise<void> {
  const up = Date.now();
  await sleep(BETWEEN_MS);
  while (tally.isWaitingSince(up) && Date.now() - up < PATIENCE_MS) await sleep(50);
}

/** Goes on until there were as many requests as asked for, within reason. */
async function enough({ tally }: Load, { minRequests }: Scenario): Promise<void> {
  for (let before = -1; tally.answered < minRequests && tally.answered > before;) {
    before = tally.answered;
    await sleep(1_000);
  }
}

async function rolling(kind: Kind): Promise<Stage> {
  const balancer = new Balancer();
  const ports = await balancer.listen();
  const instances = await Promise.all([Instance.start(kind), Instance.start(kind)]);
  for (const instance of instances) balancer.add(instance.ports);
  const stop = async (instance: Instance): Promise<string> => {
    const ended = await instance.stop();
    balancer.remove(instance.ports);
    return ended;
  };
  return {
    ports,
    async restart() {
      const next = await Instance.start(kind);
      balancer.add(next.ports);
      instances.push(next);
      return stop(instances.shift()!);
    },
    async close() {
      await Promise.all(instances.map(stop));
      balancer.close();
    },
  };
}

async function activated(kind: Kind): Promise<Stage> {
  const http = boundSocket();
  const grpc = boundSocket();
  // Each service takes the socket of its name.
  const sockets = { http: http.fd, [kind.platform === 'gateway' ? 'gateway' : 'grpc']: grpc.fd };
  let instance = await Instance.start(kind, sockets);
  return {
    ports: { http: http.port, grpc: grpc.port },
    async restart() {
      const ended = await instance.stop();
      instance = await Instance.start(kind, sockets);
      return ended;
    },
    async close() {
      await instance.stop();
      http.close();
      grpc.close();
    },
  };
}
