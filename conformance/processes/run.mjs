// Replaces and kills the processes of an app under load: `npm run conformance:processes -- --quick`.
import { join } from 'node:path';
import { bundle, bundlesOf, runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';

const here = import.meta.dirname;
if (!process.argv.includes('--quick')) installed(join(here, '../pm2'));
await bundle({
  entryPoints: [join(here, '../drain/app.ts')],
  outfile: join(bundlesOf(here), 'app.mjs'),
});
await runBundled(here, ['main.ts', 'start.ts', 'counting-app.ts']);
