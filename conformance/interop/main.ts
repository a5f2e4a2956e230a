import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CERTIFICATE, KEY } from '../../tools/testing/certificate.js';
import { GrpcTap, type TappedMessage } from '../../tools/testing/grpc-tap.js';
import { ALGORITHMS, type Algorithm, CASES, type Expectation, LEFT_OUT } from './cases.js';
import { ASKED, COUNTS } from './counts.js';
import { runOurs } from './our-client.js';
import { LineProcess } from './process.js';

const descriptors = process.env['INTEROP_DESCRIPTORS']!;
const python = process.env['INTEROP_PYTHON']!;
const PYTHON = '/usr/bin/python3';
/** A busy machine takes minutes for 1,000 large calls. */
const CASE_MS = 600_000;

const folder = mkdtempSync(join(tmpdir(), 'apix-interop-'));
const certificate = join(folder, 'cert.pem');
const key = join(folder, 'key.pem');
writeFileSync(certificate, CERTIFICATE);
writeFileSync(key, KEY);

const tlsFiles = (isSecure: boolean): string[] => (isSecure ? [certificate, key] : []);
/** C-core wants the name of the certificate, which the tests have for localhost. */
const hostOf = (isSecure: boolean): string => (isSecure ? 'localhost' : '127.0.0.1');
const app = fileURLToPath(new URL('app.mjs', import.meta.url));

/** A test server, and the clients that it is tried with. */
interface Bench {
  readonly name: string;
  readonly isSecure: boolean;
  /** What it can compress with: the cases of each are tried. */
  readonly algorithms: readonly Algorithm[];
  readonly start: () => LineProcess;
  /** What it says when a call of a method was cancelled. */
  readonly cancelled: (method: string) => RegExp;
  readonly clients: readonly ClientMaker[];
}

interface TestClient {
  readonly name: string;
  /** @throws Error that says what is wrong. */
  run(name: string, algorithm: Algorithm): Promise<void>;
  stop(): Promise<void>;
}

type ClientMaker = (port: number) => TestClient;

/** Our two implementations of gRPC. */
type Stack = 'grpc-js' | 'http2';

function apixServer(
  stack: Stack,
  isSecure: boolean,
  algorithms: readonly Algorithm[],
  clients: readonly ClientMaker[],
): Bench {
  const args = [app, descriptors, algorithms[0]!, stack, ...tlsFiles(isSecure)];
  return {
    name: `apix over ${stack}`,
    isSecure,
    algorithms,
    start: () => new LineProcess(process.execPath, args),
    cancelled: (method) => new RegExp(`^ended ${method} CANCELLED$`),
    clients,
  };
}

function coreServer(isSecure: boolean, clients: readonly ClientMaker[]): Bench {
  const args = [join(python, 'server.py'), descriptors, ...tlsFiles(isSecure)];
  return {
    name: 'C-core',
    isSecure,
    algorithms: ALGORITHMS,
    start: () => new LineProcess(PYTHON, args),
    cancelled: (method) => new RegExp(`^cancelled ${method}$`),
    clients,
  };
}

function coreClient(isSecure: boolean): ClientMaker {
  const counts = [COUNTS.concurrent, COUNTS.rpcSoak, COUNTS.channelSoak].join();
  return (port) => {
    const endpoint = `${hostOf(isSecure)}:${port}`;
    const authority = tlsFiles(isSecure).slice(0, 1);
    const client = new LineProcess(
      PYTHON,
      [join(python, 'client.py'), descriptors, endpoint, ...authority],
      { INTEROP_COUNTS: counts },
    );
    return {
      name: 'C-core',
      async run(name, algorithm) {
        client.say(`${name} ${algorithm}`);
        const { input } = await client.line(/^\{/, CASE_MS);
        const { error } = JSON.parse(input) as { readonly error: string | null };
        if (error !== null) throw new Error(error);
      },
      stop: () => client.stop(),
    };
  };
}

function apixClient(stack: Stack, { isSecure = false, serverProbes = false } = {}): ClientMaker {
  return (port) => {
    const endpoint = `${hostOf(isSecure)}:${port}`;
    const where = { endpoint, stack, tls: isSecure ? { ca: certificate } : false };
    return {
      name: `apix over ${stack}`,
      run: (name, algorithm) => runOurs(name, { where, descriptors, algorithm, serverProbes }),
      stop: async () => {},
    };
  };
}

/** Our client over both implementations of gRPC. */
function apixClients(options?: Parameters<typeof apixClient>[1]): readonly ClientMaker[] {
  return [apixClient('grpc-js', options), apixClient('http2', options)];
}

const probing = apixClients({ serverProbes: true });
const probingTls = apixClients({ isSecure: true, serverProbes: true });
const BENCHES: readonly Bench[] = [
  apixServer('grpc-js', false, ['gzip'], [coreClient(false), ...probing]),
  apixServer('grpc-js', false, ['deflate'], [coreClient(false), ...probing]),
  apixServer('http2', false, ['gzip'], [coreClient(false), ...probing]),
  apixServer('http2', false, ['deflate'], [coreClient(false), ...probing]),
  coreServer(false, apixClients()),
  apixServer('grpc-js', true, ['gzip'], [coreClient(true)]),
  apixServer('http2', true, ['gzip'], [coreClient(true), ...probingTls]),
  coreServer(true, apixClients({ isSecure: true })),
];

let passed = 0;
let failed = 0;

interface Rig {
  readonly client: TestClient;
  readonly server: LineProcess;
  readonly tap: GrpcTap | undefined;
  readonly cancelled: Bench['cancelled'];
}

/** Runs a case, and compares what was on the wire and what the server heard. */
async function judge(
  name: string,
  algorithm: Algorithm,
  { client, server, tap, cancelled }: Rig,
): Promise<void> {
  const { compressed, cancels } = CASES[name]!;
  server.forget();
  tap?.take();
  await client.run(name, algorithm);
  if (tap !== undefined) checkWire(tap.take(), compressed);
  if (cancels !== undefined) await server.line(cancelled(cancels), 10_000);
}

function checkWire(seen: readonly TappedMessage[], expected: Expectation['compressed']): void {
  for (const end of ['client', 'server'] as const) {
    const flags = seen.filter(({ from }) => from === end).map(({ isCompressed }) => isCompressed);
    const wanted = expected?.[end] ?? flags.map(() => false);
    if (String(flags) !== String(wanted)) {
      throw new Error(`${end}: compressed were ${String(flags)}, expected ${String(wanted)}`);
    }
  }
}

/** What a server is tried with; a further algorithm, or server for one, is for compression alone. */
function casesOf({ algorithms }: Bench): (readonly [name: string, algorithm: Algorithm])[] {
  return algorithms.flatMap((algorithm) =>
    Object.entries(CASES)
      .filter(([name]) => ASKED.only === undefined || ASKED.only === name)
      .filter(([, { compressed }]) => algorithm === ALGORITHMS[0] || compressed !== undefined)
      .map(([name]) => [name, algorithm] as const),
  );
}

async function runBench(bench: Bench): Promise<void> {
  const { start, isSecure, clients, cancelled } = bench;
  const cases = casesOf(bench);
  if (cases.length === 0) return;
  const server = start();
  const [, port] = await server.line(/^ready (\d+)$/, CASE_MS);
  const tap = isSecure ? undefined : await GrpcTap.open(Number(port));
  for (const make of clients) {
    const client = make(tap?.port ?? Number(port));
    const way = `${client.name} to ${bench.name}${isSecure ? ', TLS' : ''}`;
    for (const [name, algorithm] of cases) {
      const label = CASES[name]!.compressed === undefined ? name : `${name} (${algorithm})`;
      await report(`${way}: ${label}`, judge(name, algorithm, { client, server, tap, cancelled }));
    }
    await client.stop();
  }
  tap?.close();
  await server.stop();
}

/** With what only the log is told: why a call failed. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${wordsOf(error.cause)}`;
}

async function report(what: string, judged: Promise<void>): Promise<void> {
  const begun = performance.now();
  const problem = await judged.then(
    () => '',
    (error: unknown) => `: ${wordsOf(error)}`,
  );
  if (problem === '') passed += 1;
  else failed += 1;
  const ms = (performance.now() - begun).toFixed(0);
  console.log(`  ${problem === '' ? 'ok    ' : 'FAILED'} ${what} (${ms} ms)${problem}`);
}

const begun = performance.now();
for (const bench of BENCHES) await runBench(bench);
rmSync(folder, { recursive: true });
for (const [names, why] of Object.entries(LEFT_OUT)) console.log(`  left out: ${names}: ${why}`);
const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
console.log(`${passed} passed, ${failed} failed (${seconds} s)`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
