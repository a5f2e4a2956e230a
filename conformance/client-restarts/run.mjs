// Restarts a service under the load of a client: `npm run conformance:client-restarts -- --restarts 4`.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts', 'app.ts']);
