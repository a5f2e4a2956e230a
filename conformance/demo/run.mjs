// What `npm start` prints, run as it is printed: at the first start, again after Ctrl-C and a second one, and what
// is closed in production. Needs sh and curl.  node conformance/demo/run.mjs
import { buildDemo, runBundled } from '../bundle.mjs';

buildDemo();
await runBundled(import.meta.dirname, ['main.ts']);
