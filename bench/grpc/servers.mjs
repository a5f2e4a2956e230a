// The servers that are driven from outside, of this checkout and of others.
import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '../bundle.mjs';
import { PROTO, buildDescriptors } from '../shapes/build.mjs';

const SERVERS = [
  ['stock Nest', 'nest'],
  ['grpc-js, protobuf-es', 'bare', 'es'],
  ['apix, neither log nor authz', 'apix', 'bare'],
  ['apix, log and authz', 'apix', 'chain'],
  ['apix http2 stack, neither log nor authz', 'apix', 'bare', 'http2'],
  ['apix http2 stack, log and authz', 'apix', 'chain', 'http2'],
];
const GO_SERVERS = [
  ['grpc-go', 'bare'],
  ['grpc-go, log and role check', 'chain'],
];
const GO_PACKAGES =
  'golang-go golang-google-grpc-dev golang-github-rs-zerolog-dev protoc-gen-go-1-3 protobuf-compiler';
const EXTERNALS = [
  '@nestjs/*',
  'reflect-metadata',
  'rxjs',
  '@grpc/*',
  '@bufbuild/*',
  'pino',
  'yaml',
];
const here = fileURLToPath(new URL('.', import.meta.url));

/** Builds the peer in Go with Debian's packages; undefined, and a line that says so, where they are missing. */
async function buildGo(folder) {
  const source = join(folder, 'go/src/bench/shapes');
  await mkdir(source, { recursive: true });
  await cp(PROTO, join(source, 'shapes.proto'));
  const run = promisify(execFile);
  const env = {
    ...process.env,
    GO111MODULE: 'off',
    GOPATH: `${join(folder, 'go')}:/usr/share/gocode`,
    GOFLAGS: '',
  };
  // As protoc-gen-go-1-3 makes it, which is what Debian's grpc-go fits.
  const plugin = '--go_out=plugins=grpc,paths=source_relative,Mshapes.proto=bench/shapes:.';
  try {
    await run('protoc', [plugin, 'shapes.proto'], { cwd: source });
    const output = join(folder, 'grpc-go');
    await run('go', ['build', '-o', output, join(here, 'go/main.go')], { env });
    return output;
  } catch (error) {
    console.log(`grpc-go is left out: ${error.stderr || error.message}`.trim());
    console.log(`Its packages: apt-get install ${GO_PACKAGES}`);
    return undefined;
  }
}

/**
 * Starts the servers whose names have `only` in them, those of other checkouts beside ours, and stops them after
 * `use(targets, folder)`.
 */
export async function withServers(
  { only = '', checkouts = [], execArgv = [], withGo = false },
  use,
) {
  const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));
  const targets = [];
  try {
    const { descriptors, guarded } = await buildDescriptors(folder);
    const env = {
      ...process.env,
      SHAPES: descriptors,
      GUARDED: guarded,
      PROTO,
      LOG: join(folder, 'calls.log'),
    };
    for (const [place, checkout] of [join(here, '../..'), ...checkouts].entries()) {
      const isOther = place > 0;
      const out = join(folder, String(place));
      await mkdir(out);
      const files = ['bare', 'nest', 'apix'].map((name) =>
        join(resolve(checkout), 'bench/grpc', `${name}.ts`),
      );
      await bundle(files, out, EXTERNALS, resolve(checkout));
      for (const [name, file, ...args] of SERVERS) {
        if (!name.includes(only) || (isOther && file !== 'apix')) continue;
        const shown = isOther ? `${name}, ${basename(resolve(checkout))}` : name;
        await started(shown, fork(join(out, `${file}.mjs`), args, { env, execArgv }));
      }
    }
    const peers = withGo ? GO_SERVERS.filter(([name]) => name.includes(only)) : [];
    const program = peers.length > 0 && (await buildGo(folder));
    for (const [name, ...args] of program ? peers : []) {
      const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
      await started(name, spawn(program, args, { env, stdio }));
    }
    await use(targets, folder);

    async function started(name, child) {
      const [{ port }] = await once(child, 'message');
      targets.push({ name, child, port });
    }
  } finally {
    for (const { child } of targets) if (child.connected) child.disconnect();
    await rm(folder, { recursive: true });
  }
}

/** What a server says of itself: `cpu` or `memory`. */
export async function askServer({ child }, question) {
  child.send(question);
  const [answer] = await once(child, 'message');
  return answer;
}
