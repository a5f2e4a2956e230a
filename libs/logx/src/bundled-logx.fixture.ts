import { join } from 'node:path';
import { bundleScript } from '../../../tools/testing/bundle-script.js';

/** The package without Nest, with all that it needs, as one file that a script can import from any folder. */
export function bundleLogx(outfile: string): Promise<void> {
  return bundleScript(
    {
      entryPoints: [join(import.meta.dirname, 'core/index.ts')],
      // Its dependencies are not all ES modules.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    },
    outfile,
  );
}
