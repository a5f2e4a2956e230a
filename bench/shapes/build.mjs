import { spawn } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the .proto file is, which is what proto-loader reads. */
export const PROTO = fileURLToPath(new URL('shapes.proto', import.meta.url));
const SHARED = fileURLToPath(new URL('../../proto/apix', import.meta.url));
const POLICY = 'option (apix.authz.default_requires) = {roles: {any_of: ["staff"]}};';

/** Runs a script of Node; rejects unless it ends well. */
export function run(script, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: 'inherit', ...options });
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`${script}: ${code}`))));
  });
}

/** Descriptor sets of the shapes in that folder, one of them with a policy for every method. */
export async function buildDescriptors(folder) {
  const protos = join(folder, 'protos');
  await mkdir(protos);
  await cp(SHARED, join(protos, 'apix'), { recursive: true });
  const text = await readFile(PROTO, 'utf8');
  await writeFile(join(protos, 'shapes.proto'), text);
  const descriptors = await build(protos, join(folder, 'shapes.binpb'));
  const guarded = text
    .replace('package ', 'import "apix/authz/authz.proto";\npackage ')
    .replace('service Shop {', `service Shop {\n  ${POLICY}`);
  await writeFile(join(protos, 'shapes.proto'), guarded);
  return { descriptors, guarded: await build(protos, join(folder, 'guarded.binpb')) };
}

async function build(protos, output) {
  const { resolve } = createRequire(import.meta.url);
  const buf = join(resolve('@bufbuild/buf/package.json'), '..', 'bin/buf');
  // A configuration of its own: the repository's knows nothing of this folder.
  await run(buf, ['build', protos, '--config', '{"version":"v2"}', '-o', output], { cwd: protos });
  return output;
}
