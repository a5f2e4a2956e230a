// Drives the host page in Debian's Chromium: `npm run conformance:page`. With `-- --screenshots`
// it renews those of docs/images.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';

installChromium();
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
