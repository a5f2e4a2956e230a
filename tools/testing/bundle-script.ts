import { type BuildOptions, build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Bundles a source with what it imports into a file that Node runs without Jest. */
export async function bundleScript(
  entry: Pick<BuildOptions, 'entryPoints' | 'stdin' | 'external' | 'banner'>,
  outfile: string,
): Promise<void> {
  await build({
    ...entry,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    tsconfig: join(ROOT, 'tsconfig.json'),
    logLevel: 'error',
  });
}
