// Runs hostx services under real systemds:
//   npm run conformance:systemd -- [bookworm|trixie] [--times 20]
// Node 20 does not strip types, so the sources are bundled first.
import { build } from 'esbuild';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { layOut } from '../../apps/demo/deploy/lay-out.mjs';
import { buildDemo } from '../bundle.mjs';

const here = import.meta.dirname;
const root = join(here, '..', '..');
const share = mkdtempSync(join(root, 'node_modules', '.systemd-'));
try {
  await build({
    entryPoints: [join(here, 'main.ts'), join(here, 'service.ts')],
    outdir: share,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['koffi'],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  // What the box needs of this machine: Node itself, and the one package with native code.
  cpSync(process.execPath, join(share, 'node'));
  for (const name of ['koffi', `@koromix/koffi-linux-${process.arch}`]) {
    cpSync(join(root, 'node_modules', name), join(share, 'node_modules', name), {
      recursive: true,
    });
  }
  buildDemo();
  await layOut(join(share, 'shop'));
  // The demo runs as a user of its own.
  chmodSync(share, 0o755);
  const { main } = await import(pathToFileURL(join(share, 'main.mjs')).href);
  process.exitCode = await main({ scripts: here, share, root });
} finally {
  rmSync(share, { recursive: true, force: true });
}
