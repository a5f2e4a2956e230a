// A hundred policies written for both, decided by ours and by Cerbos: `npm run conformance:cerbos`, `-- --quick` for fewer
// requests. Linux on x64 only.
import { runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';

installed(import.meta.dirname);
await runBundled(import.meta.dirname, ['main.ts']);
