// Drives the host page in Debian's Chromium: `npm run conformance:page`.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';

installChromium();
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts', 'child.ts']);
