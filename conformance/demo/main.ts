import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { freePort } from '../../tools/testing/free-port.js';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ShopProcess } from '../../apps/demo/tour/shop-process.js';
import { linesOfPage, type PrintedLine, printedLines } from './printed-lines.js';

/** Milliseconds that a stop by Ctrl-C may take; it takes less than one second on an idle machine. */
const QUICK = 5_000;

let failures = 0;
function check(what: string, actual: unknown, wanted: unknown): void {
  const ok = JSON.stringify(actual) === JSON.stringify(wanted);
  if (!ok) failures++;
  const more = ok ? '' : `, not ${JSON.stringify(wanted)}`;
  console.log(`${ok ? 'ok ' : 'NOT'} ${what}: ${JSON.stringify(actual)}${more}`);
}

const folder = await mkdtemp(join(tmpdir(), 'apix-demo-'));
const [port, grpcPort] = [await freePort(), await freePort()];
const http = `http://localhost:${port}`;
const settings = {
  PORT: String(port),
  GRPC_PORT: String(grpcPort),
  DATA_DIR: join(folder, 'data'),
  NODE_ENV: '',
  APP_ENVIRONMENT: '',
};
let shop: ShopProcess | undefined;
try {
  shop = await start();
  const first = printed(shop);
  console.log('\n== The links of the first page');
  await followLinks();
  await checkLoopback();
  console.log('\n== The lines of the first start');
  await run(first.lines, first.tokens);
  console.log('\n== The lines of the first page');
  await run(linesOfPage(await (await fetch(http)).text()), first.tokens);
  console.log('\n== Ctrl-C');
  await interrupt(shop);

  shop = await start();
  console.log('\n== The same lines with the same tokens, after a second start');
  await run(first.lines, first.tokens);
  const second = printed(shop);
  check(
    'the second start prints the same lines',
    isDeepStrictEqual(second.lines, first.lines),
    true,
  );
  check('and the same password', second.office === first.office, true);
  await interrupt(shop);

  console.log('\n== The window is closed');
  shop = await start();
  await shop.crash();
  check('it still listens', await listensOn(), false);

  console.log('\n== Production');
  shop = await start({ NODE_ENV: 'production' }, /OFFICE_PASSWORD is not set/);
  const output = shop.output;
  check('a token or a password is printed', /ADA=|GRACE=|eyJ|office:/.test(output), false);
  check(
    'what is closed is said',
    /AUTH_JWKS is not set.*OFFICE_PASSWORD is not set/s.test(output),
    true,
  );
  const authorization = `Bearer ${first.tokens.GRACE}`;
  check('a token of the demo', await statusOf('/v1/orders/1001', { authorization }), 401);
  const basic = `Basic ${Buffer.from(first.office).toString('base64')}`;
  check('the password of the demo', await statusOf('/host', { authorization: basic }), 401);
  check('what anyone may read', await statusOf('/v1/products'), 200);
  await interrupt(shop);
} finally {
  await shop?.remove();
  await rm(folder, { recursive: true, force: true });
}
if (failures > 0) throw new Error(`${failures} checks failed`);

function start(more: Readonly<Record<string, string>> = {}, until?: RegExp): Promise<ShopProcess> {
  return ShopProcess.start(process.cwd(), {
    settings: { ...settings, ...more },
    terminal: true,
    ...(until && { until }),
  });
}

function printed({ output }: ShopProcess) {
  const text = output.slice(output.indexOf('Tokens of two callers'));
  const find = (pattern: RegExp): string => pattern.exec(text)![1]!;
  return {
    lines: printedLines(text),
    office: find(/host +http:\/\/([^@]+)@/),
    tokens: { ADA: find(/ADA=(\S+)/), GRACE: find(/GRACE=(\S+)/) },
  };
}

async function run(lines: readonly PrintedLine[], tokens: Readonly<Record<string, string>>) {
  check('commands', lines.length > 5, true);
  for (const { command, status } of lines) {
    const { code, out } = await shell(command, tokens);
    // Before a long answer there is what curl says of its progress, on the same line.
    const got = command.startsWith('curl') ? /HTTP\/1\.1 (\d+)/.exec(out)?.[1] : grpcStatus(out);
    check(command.replaceAll(/\s+/g, ' '), got ?? String(code), status === '' ? '0' : status);
  }
}

/** The last line with the name of a status. */
function grpcStatus(out: string): string | undefined {
  return [...out.matchAll(/^([A-Z_]+)(?=: |$)/gm)].at(-1)?.[1];
}

function shell(command: string, tokens: Readonly<Record<string, string>>) {
  const env = { ...process.env, ...tokens, NODE_OPTIONS: '' };
  return new Promise<{ code: number; out: string }>((resolve) => {
    const child = execFile('sh', ['-c', `{ ${command}\n} 2>&1`], { env }, (_, out) => {
      resolve({ code: child.exitCode ?? 1, out });
    });
  });
}

async function followLinks(): Promise<void> {
  const answer = await fetch(http);
  check(
    'the first page',
    [answer.status, answer.headers.get('content-type')],
    [200, 'text/html; charset=utf-8'],
  );
  const links = [...(await answer.text()).matchAll(/href="([^"]+)"/g)].map((match) => match[1]!);
  check('its links', links.length > 5, true);
  for (const link of links) {
    check(link, await statusOf(link), link === '/host' ? 401 : 200);
  }
}

/** False as soon as nobody does, true when it still does after a while. */
async function listensOn(): Promise<boolean> {
  for (let tries = 0; tries < QUICK / 50; tries++) {
    if (!(await takesConnections('127.0.0.1', port))) return false;
    await sleep(50);
  }
  return true;
}

async function isReady(): Promise<void> {
  while ((await statusOf('/readyz')) !== 200) await sleep(100);
}

/** Nothing is encrypted, so other machines must not reach it unless that was asked for. */
async function checkLoopback(): Promise<void> {
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
  const outer = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of outer) {
    for (const one of [port, grpcPort]) {
      check(`${address}:${one} takes connections`, await takesConnections(address, one), false);
    }
  }
}

function takesConnections(host: string, one: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(one, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function statusOf(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const answer = await fetch(http + path, { headers });
  await answer.body?.cancel();
  return answer.status;
}

async function interrupt(running: ShopProcess): Promise<void> {
  // A service that was killed and is not back yet makes the stop a failed one.
  await isReady();
  const begun = performance.now();
  const from = running.output.length;
  const code = await running.pressCtrlC();
  check('the exit code after Ctrl-C', code, 0);
  if (code !== 0) console.log(running.output.slice(from));
  const ms = Math.round(performance.now() - begun);
  check(`it took ${ms} ms, which is quick`, ms < QUICK, true);
}
