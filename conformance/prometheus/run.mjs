// Has Debian's Prometheus scrape an app and asks it for the metrics of the specification:
// `npm run conformance:prometheus`.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts', 'app.ts']);
