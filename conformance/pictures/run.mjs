// Makes the pictures of docs/images, of the demo in Debian's Chromium: `npm run pictures`.
import { fileURLToPath } from 'node:url';
import { buildDemo, runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';
import { ensurePostgres } from '../postgres-server.mjs';

installChromium();
ensurePostgres();
buildDemo();
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
