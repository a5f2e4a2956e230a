// Runs the conformance test of the drain: `npm run conformance:drain -- --quick`.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts', 'app.ts']);
