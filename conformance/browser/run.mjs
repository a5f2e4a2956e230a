// Drives the docs page in Debian's Chromium: `npm run conformance:browser`. As root it installs
// the browser where there is none.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';

installChromium();
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
