import { Mode, Protocol, Version, configurations } from './suite/axes.js';
import { type Permutation, expand } from './suite/expand.js';
import type { TestSuite } from './suite/schema.js';
import { type Outcome, judge } from './suite/verdict.js';
import type { Server } from './servers/server.js';
import { CodeNumber } from './wire/codes.js';
import { Connection } from './wire/connection.js';
import { invoke } from './wire/invoke.js';

/** Calls at once. */
const AT_ONCE = 16;

export interface Asked {
  /** Every which of the cases. */
  readonly step: number;
  /** A part of the names. */
  readonly name?: string;
  /** Only the cases of gRPC-Web that a client can write in base64. Default: false. */
  readonly isText?: boolean;
}

/** The cases of a server; returns those that are not as they must be, each with what is wrong. */
export async function runCases(
  server: Server,
  suites: readonly TestSuite[],
  asked: Asked,
): Promise<readonly string[]> {
  const ways = configurations(server.features);
  const { isText = false } = asked;
  const all = expand(suites, ways, Mode.server).filter(
    ({ way, call }) =>
      !isText || (way.protocol === Protocol.grpcWeb && call.rawRequest === undefined),
  );
  const chosen = all
    .filter(({ name }) => asked.name === undefined || name.includes(asked.name))
    .filter((_, at) => at % asked.step === 0);
  const wrong: string[] = [];
  const connections = new Map<string, Connection>();
  let passed = 0;
  const queue = chosen.values();
  const worker = async (): Promise<void> => {
    for (const permutation of queue) {
      const call = () => invoke(permutation, connectionFor(permutation), isText);
      const problems = await problemsOf(permutation, call, server);
      if (problems.length === 0) passed += 1;
      else wrong.push(`${permutation.name}: ${problems.join('; ')}`);
    }
  };
  const connectionFor = ({ way }: Permutation): Connection => {
    const { version, isTls, hasClientCertificate } = way;
    const key = [version, isTls, hasClientCertificate].join();
    let connection = connections.get(key);
    if (connection === undefined) {
      const { http1, h2c, tls, mutual } = server.ports;
      const plain = version === Version.http1 ? http1 : h2c;
      const port = hasClientCertificate ? mutual : isTls ? tls : plain;
      connection = new Connection({ port, version, isTls, hasClientCertificate });
      connections.set(key, connection);
    }
    return connection;
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const connection of connections.values()) connection.close();
  const sample = chosen.length === all.length ? '' : `, of which ${chosen.length} are tried`;
  console.log(
    `${server.name}: ${isText ? 'gRPC-Web in base64' : `${ways.length} ways of calling`}, ` +
      `${all.length} cases${sample}: ` +
      `${passed} passed, ${wrong.length} not as they must be`,
  );
  return wrong;
}

/** As often a case is tried of which the tries say nothing. */
const TRIES = 5;

async function problemsOf(
  permutation: Permutation,
  call: () => Promise<Outcome>,
  { losesEarlyAnswers = false }: Server,
): Promise<string[]> {
  for (let left = TRIES; ; left--) {
    const begun = performance.now();
    const outcome = await call();
    const tookMs = performance.now() - begun;
    const problems = judge(permutation, outcome, tookMs);
    const { version } = permutation.way;
    const isLost = losesEarlyAnswers && version === Version.http1 && outcome.isCutOff === true;
    const saysNothing = isLost || isLate(permutation, outcome, tookMs);
    if (problems.length === 0 || left === 1 || !saysNothing) return problems;
  }
}

/** Whether a call that was to succeed came to its deadline, on a machine that had no time for it before. */
function isLate({ call }: Permutation, { error }: Outcome, tookMs: number): boolean {
  const { timeoutMs = Infinity } = call;
  return tookMs >= timeoutMs && error?.code === CodeNumber.deadlineExceeded;
}
