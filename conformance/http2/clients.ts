import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createSecureServer, createServer as createNode } from 'node:http2';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTls } from 'node:tls';
import { ClientSession, ServerSession } from '@apix/http2';
import { CERTIFICATE, KEY } from '../../tools/testing/certificate.js';
import { freePort } from '../../tools/testing/free-port.js';

const REQUESTS = 1_000;
const BODY = 'x'.repeat(1_000_000);

/** A server that answers each request with its body, or with `ok`. */
function serve(socket: Socket): ServerSession {
  return new ServerSession(socket, {
    onStream(stream) {
      const parts: Buffer[] = [];
      return {
        onData: (data) => parts.push(Buffer.from(data)),
        onEnd() {
          stream.respond([':status', '200']);
          stream.write(parts.length === 0 ? Buffer.from('ok') : Buffer.concat(parts));
          stream.end();
        },
        onClosed() {},
      };
    },
    onMisuse: (code, reason) => console.log(`a connection was ended: ${code} ${reason}`),
    onClosed() {},
  });
}

async function listening(server: Server, at: string | number): Promise<Server> {
  server.listen(at);
  await once(server, 'listening');
  return server;
}

/**
 * Other implementations on both sides; returns the number of mistakes.
 *
 * @param load requests of h2load.
 */
export async function runClients(load: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-http2-'));
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(files.cert, CERTIFICATE);
  writeFileSync(files.key, KEY);
  writeFileSync(join(folder, 'index.html'), 'ok');
  const path = join(folder, 'socket');
  const tls = { cert: CERTIFICATE, key: KEY, ALPNProtocols: ['h2'] };
  const servers = [
    await listening(
      createServer((socket) => void serve(socket)),
      0,
    ),
    await listening(
      createTls(tls, (socket) => void serve(socket)),
      0,
    ),
    await listening(
      createServer((socket) => void serve(socket)),
      path,
    ),
  ];
  const [plain, secure] = servers.map((it) => (it.address() as AddressInfo).port);
  const [http, https] = [`http://127.0.0.1:${plain}/`, `https://127.0.0.1:${secure}/`];
  const mistakes: string[] = [];
  const check = (what: string, isRight: boolean, shown: string): void => {
    console.log(`  ${what}: ${isRight ? 'right' : `WRONG, ${shown.slice(-300)}`}`);
    if (!isRight) mistakes.push(what);
  };
  for (const url of [http, https]) {
    const { output } = await run('nghttp', ['-nsy', '-m', String(REQUESTS), url]);
    check(
      `nghttp, ${REQUESTS} requests over one connection, ${url}`,
      count(output, / 200 /g) === REQUESTS,
      output,
    );
    const upload = await run('nghttp', ['-y', '-d', files.cert, url]);
    check(
      `nghttp with a body, ${url}`,
      upload.output.includes('-----BEGIN CERTIFICATE-----'),
      upload.output,
    );
  }
  for (const [base, name] of [
    [http, http],
    [https, https],
    [`unix:${path}`, 'a unix socket'],
  ] as const) {
    const args = base === name ? [base] : ['-B', base, 'http://localhost/'];
    const { output } = await run('h2load', ['-n', String(load), '-c', '4', '-m', '16', ...args]);
    check(
      `h2load, ${load} requests over 4 connections, ${name}`,
      output.includes(`${load} succeeded, 0 failed`),
      output,
    );
  }
  for (const args of [
    ['--http2-prior-knowledge', http],
    ['--insecure', https],
    ['--http2-prior-knowledge', '--unix-socket', path, 'http://localhost/'],
  ]) {
    const common = [
      '--silent',
      '--show-error',
      '--max-time',
      '60',
      '--write-out',
      ' %{http_version}',
      '--data-binary',
      '@-',
    ];
    const { output } = await run('curl', [...common, ...args], BODY);
    check(`curl, 1 MB there and back, ${args.join(' ')}`, output === `${BODY} 2`, output);
  }
  await checkOurs(plain!, secure!, folder, files, check);
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
  return mistakes.length;
}

type Check = (what: string, isRight: boolean, shown: string) => void;

/** Our client, with servers of others and our own. */
async function checkOurs(
  plain: number,
  secure: number,
  folder: string,
  { cert, key }: { readonly cert: string; readonly key: string },
  check: Check,
): Promise<void> {
  const node = createNode((_, answer) => answer.end('ok')).listen(0);
  const nodeTls = createSecureServer({ cert: CERTIFICATE, key: KEY }, (_, answer) =>
    answer.end('ok'),
  ).listen(0);
  await Promise.all([node, nodeTls].map((it) => once(it, 'listening')));
  const [free, freeTls] = [await freePort(), await freePort()];
  const daemons = [
    spawn('nghttpd', ['--no-tls', '-d', folder, String(free)], { stdio: 'ignore' }),
    spawn('nghttpd', ['-d', folder, String(freeTls), key, cert], { stdio: 'ignore' }),
  ];
  const portOf = (it: { address(): unknown }): number => (it.address() as AddressInfo).port;
  const rows = [
    ['ours', plain, secure],
    ['node:http2', portOf(node), portOf(nodeTls)],
    ['nghttpd', free, freeTls],
  ] as const;
  for (const [name, ofPlain, ofTls] of rows) {
    for (const isTls of [false, true]) {
      const port = isTls ? ofTls : ofPlain;
      await accepting(port);
      const answered = await askAll(port, isTls);
      const what = `our client, ${REQUESTS} requests over one connection, ${isTls ? 'TLS' : 'h2c'}, ${name}`;
      check(what, answered === REQUESTS, `${answered} are answered`);
    }
  }
  for (const daemon of daemons) daemon.kill();
  node.close();
  nodeTls.close();
}

/** Resolves once something listens. */
export async function accepting(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await new Promise(setImmediate);
  }
}

/** How many requests of one connection are answered in full, with 200 and `ok`. */
async function askAll(port: number, isTls: boolean): Promise<number> {
  const socket = isTls
    ? connectTls({
        port,
        host: '127.0.0.1',
        ALPNProtocols: ['h2'],
        ca: CERTIFICATE,
        servername: 'localhost',
        checkServerIdentity: () => undefined,
      })
    : connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, isTls ? 'secureConnect' : 'connect');
  let answered = 0;
  await new Promise<void>((resolve) => {
    const session = new ClientSession(socket, undefined, {
      onReady() {
        for (let nth = 0; nth < REQUESTS; nth += 1) ask();
        session.close();
      },
      onGoaway() {},
      onClosed: resolve,
    });
    const ask = (): void => {
      let [status, body]: [number | undefined, string] = [undefined, ''];
      const done = (): void => void (answered += status === 200 && body === 'ok' ? 1 : 0);
      const headers = [
        ':method',
        'GET',
        ':scheme',
        isTls ? 'https' : 'http',
        ':authority',
        'localhost',
        ':path',
        '/index.html',
      ];
      const stream = session.begin(headers, {
        onHeaders(received, ends) {
          status ??= received.status;
          if (ends) done();
        },
        onData: (data) => (body += data.toString()),
        onClosed: (code) => code === 0 && done(),
      });
      stream.end();
    };
  });
  return answered;
}

async function run(
  command: string,
  args: readonly string[],
  input = '',
): Promise<{ output: string }> {
  const child = spawn(command, args);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.on('error', () => {}).end(input);
  await once(child, 'close');
  return { output };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
