import { Version, configurations, Mode } from './suite/axes.js';
import { type Permutation, expand } from './suite/expand.js';
import type { TestSuite } from './suite/schema.js';
import { judge } from './suite/verdict.js';
import type { Server } from './servers/server.js';
import { Connection } from './wire/connection.js';
import { invoke } from './wire/invoke.js';

/** Calls at once. */
const AT_ONCE = 16;

/** A case that a server does not pass, and why that is right, or known. */
export interface Known {
  /** Of names of cases. */
  readonly pattern: RegExp;
  readonly reason: string;
}

export interface Asked {
  /** Every which of the cases. */
  readonly step: number;
  /** A part of the names. */
  readonly name?: string;
}

/** The cases of a server; returns those that are not as they must be, each with what is wrong. */
export async function runCases(
  server: Server,
  suites: readonly TestSuite[],
  known: readonly Known[],
  asked: Asked,
): Promise<readonly string[]> {
  const ways = configurations(server.features);
  const all = expand(suites, ways, Mode.server);
  const chosen = all
    .filter(({ name }) => asked.name === undefined || name.includes(asked.name))
    .filter((_, at) => at % asked.step === 0);
  const wrong: string[] = [];
  const seen = new Set<Known>();
  const connections = new Map<string, Connection>();
  let passed = 0;
  let expected = 0;
  const queue = chosen.values();
  const worker = async (): Promise<void> => {
    for (const permutation of queue) {
      const problems = judge(permutation, await invoke(permutation, connectionFor(permutation)));
      const listed = known.find(({ pattern }) => pattern.test(permutation.name));
      if (problems.length === 0) passed += 1;
      else if (listed === undefined) wrong.push(`${permutation.name}: ${problems.join('; ')}`);
      else {
        expected += 1;
        seen.add(listed);
      }
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
  if (asked.step === 1 && asked.name === undefined) {
    const passing = known.filter((each) => !seen.has(each));
    wrong.push(
      ...passing.map(({ pattern }) => `${pattern} is listed as known, and all of it passes`),
    );
  }
  const listed = expected === 0 ? '' : `, ${expected} differ as listed`;
  const sample = chosen.length === all.length ? '' : `, of which ${chosen.length} are tried`;
  console.log(
    `${server.name}: ${ways.length} ways of calling, ${all.length} cases in them${sample}: ` +
      `${passed} passed${listed}, ${wrong.length} not as they must be`,
  );
  return wrong;
}
