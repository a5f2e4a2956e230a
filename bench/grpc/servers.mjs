// The servers that are driven from outside, of this checkout and of others.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/**
 * Starts the servers whose names have `only` in them, those of other checkouts beside ours, and stops them after
 * `use(targets, folder)`.
 */
export async function withServers({ only = '', checkouts = [], execArgv = [] }, use) {
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
        const child = fork(join(out, `${file}.mjs`), args, { env, execArgv });
        const [{ port }] = await once(child, 'message');
        targets.push({ name: shown, child, port });
      }
    }
    await use(targets, folder);
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
