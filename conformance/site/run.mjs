// Looks at the built site in Debian's Chromium: `npm run site:check`. Screenshots are in
// coverage/site.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';

installChromium();
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
