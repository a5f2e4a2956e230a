// Has Debian's Prometheus scrape an app and the demo, and asks it for the metrics of the specification and
// for what the dashboard of Grafana shows:
// `npm run conformance:prometheus`.
import { fileURLToPath } from 'node:url';
import { buildDemo, runBundled } from '../bundle.mjs';

buildDemo();
await runBundled(fileURLToPath(new URL('.', import.meta.url)), [
  'main.ts',
  'app.ts',
  'dashboard-app.ts',
]);
