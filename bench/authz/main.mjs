// Time per decision against CASL and casbin, about records against @bufbuild/cel and Cerbos too, and what the interceptor
// and hidden fields cost a gRPC server.
// `node bench/authz/main.mjs [rounds]`.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { bundle } from '../bundle.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = await mkdtemp(join(here, '..', 'node_modules', '.bench-'));

function run(file, ...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(folder, file), ...args], { stdio: 'inherit' });
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${file}: ${code}`))));
  });
}

try {
  await bundle(
    ['decide', 'conditions', 'fields', 'server', 'rates'].map((name) => join(here, `${name}.ts`)),
    folder,
    ['@grpc/*', '@bufbuild/*', '@casl/*', 'casbin', 'jose'],
  );
  await run('decide.mjs');
  await run('conditions.mjs');
  await run('fields.mjs', join(here, '../../libs/authz/testdata/fields.binpb'));
  await run('rates.mjs', ...process.argv.slice(2));
} finally {
  await rm(folder, { recursive: true });
}
