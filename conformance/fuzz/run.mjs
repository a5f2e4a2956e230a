// Sends 100,000 requests made from a seed: `npm run conformance:fuzz -- [count] [seed]`.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
