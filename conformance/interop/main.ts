import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CERTIFICATE, KEY } from '../../tools/testing/certificate.js';
import { GrpcTap, type TappedMessage } from '../../tools/testing/grpc-tap.js';
import { ALGORITHMS, type Algorithm, CASES, type Expectation, LEFT_OUT } from './cases.js';
import { COUNTS } from './counts.js';
import { runOurs } from './our-client.js';
import { LineProcess } from './process.js';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const descriptors = process.env['INTEROP_DESCRIPTORS']!;
const python = process.env['INTEROP_PYTHON']!;
const PYTHON = '/usr/bin/python3';
const CASE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'apix-interop-'));
const certificate = join(folder, 'cert.pem');
const key = join(folder, 'key.pem');
writeFileSync(certificate, CERTIFICATE);
writeFileSync(key, KEY);

interface Server {
  readonly process: LineProcess;
  readonly port: number;
}

/** How a server tells that a call of a method was cancelled. */
type CancelLine = (method: string) => RegExp;

interface Direction {
  readonly name: string;
  readonly serve: (algorithm: Algorithm) => LineProcess;
  readonly cancelled: CancelLine;
  /** The client, once per server. */
  readonly client: (port: number) => TestClient;
  readonly isSecure?: boolean;
}

interface TestClient {
  /** @throws Error that says what is wrong. */
  run(name: string, algorithm: Algorithm): Promise<void>;
  stop(): Promise<void>;
}

const tlsFiles = (isSecure: boolean): string[] => (isSecure ? [certificate, key] : []);
const app = fileURLToPath(new URL('app.mjs', import.meta.url));

const serveOurs = (isSecure: boolean) => (algorithm: Algorithm) =>
  new LineProcess(process.execPath, [app, descriptors, algorithm, ...tlsFiles(isSecure)]);
const serveCore = (isSecure: boolean) => () =>
  new LineProcess(PYTHON, [join(python, 'server.py'), descriptors, ...tlsFiles(isSecure)]);
const cancelledOurs: CancelLine = (method) => new RegExp(`^ended ${method} CANCELLED$`);
const cancelledCore: CancelLine = (method) => new RegExp(`^cancelled ${method}$`);

/** C-core wants the name of the certificate, which the tests have for localhost. */
const host = (isSecure: boolean): string => (isSecure ? 'localhost' : '127.0.0.1');

function coreClient(isSecure: boolean) {
  return (port: number): TestClient => {
    const counts = [COUNTS.concurrent, COUNTS.rpcSoak, COUNTS.channelSoak].join();
    const client = new LineProcess(
      PYTHON,
      [
        join(python, 'client.py'),
        descriptors,
        `${host(isSecure)}:${port}`,
        ...tlsFiles(isSecure).slice(0, 1),
      ],
      { INTEROP_COUNTS: counts },
    );
    return {
      async run(name, algorithm) {
        client.say(`${name} ${algorithm}`);
        const [line] = await client.line(/^\{/, CASE_MS).then(({ input }) => [input]);
        const { error } = JSON.parse(line!) as { readonly error: string | null };
        if (error !== null) throw new Error(error);
      },
      stop: () => client.stop(),
    };
  };
}

function ourClient(isSecure: boolean, serverProbes: boolean) {
  return (port: number): TestClient => ({
    run: (name, algorithm) => {
      const tls = isSecure ? { ca: certificate } : false;
      const where = { endpoint: `${host(isSecure)}:${port}`, tls };
      return runOurs(name, { where, descriptors, algorithm, serverProbes });
    },
    stop: async () => {},
  });
}

const DIRECTIONS: readonly Direction[] = [
  {
    name: 'C-core to apix',
    serve: serveOurs(false),
    cancelled: cancelledOurs,
    client: coreClient(false),
  },
  {
    name: 'apix to C-core',
    serve: serveCore(false),
    cancelled: cancelledCore,
    client: ourClient(false, false),
  },
  {
    name: 'apix to apix',
    serve: serveOurs(false),
    cancelled: cancelledOurs,
    client: ourClient(false, true),
  },
  {
    name: 'C-core to apix, TLS',
    serve: serveOurs(true),
    cancelled: cancelledOurs,
    client: coreClient(true),
    isSecure: true,
  },
  {
    name: 'apix to C-core, TLS',
    serve: serveCore(true),
    cancelled: cancelledCore,
    client: ourClient(true, false),
    isSecure: true,
  },
];

async function started(server: LineProcess): Promise<Server> {
  const [, port] = await server.line(/^ready (\d+)$/, CASE_MS);
  return { process: server, port: Number(port) };
}

let passed = 0;
let failed = 0;

/** Runs a case, and compares what was on the wire and what the server heard. */
async function judge(
  name: string,
  algorithm: Algorithm,
  { client, server, tap, cancelled }: Rig,
): Promise<void> {
  const { compressed, cancels } = CASES[name]!;
  server.process.forget();
  tap?.take();
  await client.run(name, algorithm);
  if (tap !== undefined) checkWire(tap.take(), compressed);
  if (cancels !== undefined) await server.process.line(cancelled(cancels), 10_000);
}

interface Rig {
  readonly client: TestClient;
  readonly server: Server;
  readonly tap: GrpcTap | undefined;
  readonly cancelled: CancelLine;
}

function checkWire(seen: readonly TappedMessage[], expected: Expectation['compressed']): void {
  for (const end of ['client', 'server'] as const) {
    const flags = seen.filter(({ from }) => from === end).map(({ isCompressed }) => isCompressed);
    const wanted = expected === undefined ? flags.map(() => false) : expected[end];
    if (String(flags) !== String(wanted)) {
      throw new Error(`${end}: compressed were ${String(flags)}, expected ${String(wanted)}`);
    }
  }
}

async function runDirection(direction: Direction, algorithm: Algorithm): Promise<void> {
  const { name, serve, cancelled, isSecure = false } = direction;
  const isMain = algorithm === ALGORITHMS[0];
  const server = await started(serve(algorithm));
  const tap = isSecure ? undefined : await GrpcTap.open(server.port);
  const client = direction.client(tap?.port ?? server.port);
  for (const [each, { compressed }] of Object.entries(CASES)) {
    if (values.only !== undefined && values.only !== each) continue;
    if (!isMain && compressed === undefined) continue;
    const label = compressed === undefined ? each : `${each} (${algorithm})`;
    const begun = performance.now();
    let problem = '';
    try {
      await judge(each, algorithm, { client, server, tap, cancelled });
      passed += 1;
    } catch (error) {
      failed += 1;
      problem = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    const ms = (performance.now() - begun).toFixed(0);
    console.log(`  ${problem === '' ? 'ok    ' : 'FAILED'} ${name}: ${label} (${ms} ms)${problem}`);
  }
  await client.stop();
  tap?.close();
  await server.process.stop();
}

const begun = performance.now();
for (const direction of DIRECTIONS) {
  for (const algorithm of ALGORITHMS) await runDirection(direction, algorithm);
}
rmSync(folder, { recursive: true });
for (const [names, why] of Object.entries(LEFT_OUT)) console.log(`  left out: ${names}: ${why}`);
const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
console.log(`${passed} passed, ${failed} failed (${seconds} s)`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
