// Replaces and kills the processes of an app under load: `npm run conformance:processes -- --quick`.
import { join } from 'node:path';
import { bundle, bundlesOf, runBundled } from '../bundle.mjs';

const here = import.meta.dirname;
await bundle({
  entryPoints: [join(here, '../drain/app.ts')],
  outfile: join(bundlesOf(here), 'app.mjs'),
});
await runBundled(here, ['main.ts', 'start.ts', 'counting-app.ts']);
