// From `nest new` to three callers over REST and gRPC, in less than five minutes and without an edit
// by hand: the CLI comes from npm, our packages as they would be published. Then what a team does
// next: a service from a .proto file, and a policy that is saved while Nest watches. Expects
// `npm run build`.  node conformance/start/run.mjs [--keep]
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRegistry } from '../packages/registry.mjs';

const MOST_SECONDS = 300;
const CLI = '@nestjs/cli@12';
const CALLERS = [
  ['nobody', undefined, 401, 16],
  ['a stranger', 'Bearer dev-stranger', 403, 7],
  ['a friend', 'Bearer dev-friend', 200, 0],
];

const FAREWELL = `syntax = "proto3";
package hello.v1;

import "apix/authz/authz.proto";
import "google/api/annotations.proto";

service Farewells {
  rpc Say(SayRequest) returns (stream SayResponse) {
    option (apix.authz.requires) = {public: true};
    option (google.api.http) = {get: "/v1/farewells/{name}"};
  }
}

message SayRequest {
  string name = 1;
}

message SayResponse {}
`;

const begun = performance.now();
const registry = await startRegistry();
const parent = await mkdtemp(join(tmpdir(), 'apix-start-'));
const folder = join(parent, 'shop');
const [PORT, GRPC_PORT] = [await freePort(), await freePort()];
const greeting = `http://127.0.0.1:${PORT}/v1/greetings/Bob`;
const env = { ...process.env, NODE_OPTIONS: '', PORT, GRPC_PORT, NO_COLOR: '1' };
let app;
try {
  await shell(parent, `npx --yes ${CLI} new shop --package-manager npm --skip-git`);
  await writeFile(join(folder, '.npmrc'), registry.npmrc);
  await shell(folder, 'npx nest add @apix/start');
  app = start('npm', ['start']);
  await app.answers(greeting);
  for (const [who, authorization, status, code] of CALLERS) {
    const rest = await fetch(greeting, {
      headers: authorization === undefined ? {} : { authorization },
    });
    const text = await rest.text();
    same(`${who} over REST`, rest.status, status);
    const grpc = await greet(authorization);
    same(`${who} over gRPC`, grpc.code, code);
    if (status === 200) {
      same('the greeting over REST', JSON.parse(text).text, 'Hello, Bob!');
      same('the greeting over gRPC', grpc.text, 'Hello, Bob!');
    }
  }
  const home = await fetch(`http://127.0.0.1:${PORT}/`);
  same('the page that the CLI made', [home.status, await home.text()], [200, 'Hello World!']);
  await app.stop();
  const seconds = Math.round((performance.now() - begun) / 1_000);
  if (seconds > MOST_SECONDS) throw new Error(`${seconds} s; ${MOST_SECONDS} are allowed`);
  console.log(`from nothing to three callers in ${seconds} s`);

  const before = await filesOfApp();
  await shell(folder, 'npx nest add @apix/start');
  same('what a second run changes', await filesOfApp(), before);

  await writeFile(join(folder, 'proto/hello/v1/farewell.proto'), FAREWELL);
  await shell(folder, 'npx nest g -c @apix/start service proto/hello/v1/farewell.proto');
  await shell(folder, 'npm run build');
  await shell(folder, 'npm run test:e2e');
  app = start('npm', ['run', 'start:dev']);
  await app.answers(greeting);
  const unwritten = await fetch(`http://127.0.0.1:${PORT}/v1/farewells/Bob`);
  same('a service from a .proto file', unwritten.status, 501);
  const proto = join(folder, 'proto/hello/v1/hello.proto');
  const text = await readFile(proto, 'utf8');
  const open = text.replace('{roles: {any_of: ["friend"]}}', '{public: true}');
  await writeFile(proto, open);
  await app.answers(greeting, 200);
  console.log('ok  a policy that was saved holds in the app that nest watches');
  await app.stop();

  await writeFile(proto, text);
  app = start('npx', ['nest', 'start']);
  await app.answers(greeting);
  const told = app.output().includes('gen/api.binpb is older than proto/hello/v1/hello.proto');
  same('a stale set is told at the start', told, true);
  await app.stop();
} finally {
  await app?.kill();
  registry.close();
  if (process.argv.includes('--keep')) console.log(`kept in ${parent}`);
  else await rm(parent, { recursive: true });
}

function same(what, actual, wanted) {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${what}: ${is}, not ${should}\n${app?.output() ?? ''}`);
  console.log(`ok  ${what}: ${is.length > 100 ? 'nothing' : is}`);
}

async function filesOfApp() {
  const names = [
    'package.json',
    'buf.yaml',
    'src/app.module.ts',
    'src/apix.module.ts',
    'src/main.ts',
  ];
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}

/** A gRPC client as anybody has one: the descriptors are read by proto-loader's own means. */
async function greet(authorization) {
  const require = createRequire(join(folder, 'package.json'));
  const { Client, Metadata, credentials } = require('@grpc/grpc-js');
  const client = new Client(`127.0.0.1:${GRPC_PORT}`, credentials.createInsecure());
  const metadata = new Metadata();
  if (authorization !== undefined) metadata.set('authorization', authorization);
  const name = Buffer.from('Bob');
  const message = Buffer.concat([Buffer.from([0x0a, name.length]), name]);
  const same = (bytes) => bytes;
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      '/hello.v1.Greeter/Greet',
      same,
      same,
      message,
      metadata,
      (error, answer) => {
        client.close();
        resolve({ code: error?.code ?? 0, text: answer?.subarray(2).toString() });
      },
    );
  });
}

function shell(cwd, command) {
  console.log(`$ ${command}`);
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-ec', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => (output += data));
    }
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ended with ${code}\n${output}`));
    });
  });
}

/** A command that stays, and its whole process group. */
function start(command, args) {
  console.log(`$ ${[command, ...args].join(' ')}`);
  const child = spawn(command, args, { cwd: folder, env, detached: true });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} cannot be started`);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => (output += data));
  }
  let isOver = false;
  const ended = new Promise((resolve) => child.on('close', resolve)).then(() => (isOver = true));
  return {
    output: () => output,
    /** Resolves when it answers, with this status if one is given. */
    async answers(url, status) {
      for (;;) {
        if (isOver) throw new Error(`the app ended\n${output}`);
        const got = await statusOf(url);
        if (got !== undefined && (status === undefined || got === status)) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async stop() {
      process.kill(-pid, 'SIGINT');
      await ended;
    },
    async kill() {
      if (isOver) return;
      process.kill(-pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Undefined while nobody listens. */
async function statusOf(url) {
  try {
    return (await fetch(url)).status;
  } catch {
    return undefined;
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
