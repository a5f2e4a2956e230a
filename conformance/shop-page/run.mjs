// Drives the page of the shop in Debian's Chromium: `npm run conformance:shop-page`. As root it installs the browser where
// there is none.
//   --quick  over gRPC-Web alone, without a look at every width and colour
import { fileURLToPath } from 'node:url';
import { buildDemo, runBundled } from '../bundle.mjs';
import { installChromium } from '../chromium.mjs';

installChromium();
buildDemo();
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
