// Drives the docs page in Debian's Chromium: `npm run conformance:browser`, or `conformance:docs-page` with that of the
// demo too. As root it installs the browser where there is none.
import { fileURLToPath } from 'node:url';
import { buildDemo, runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';

installChromium();
if (process.argv.includes('--shop')) buildDemo();
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
