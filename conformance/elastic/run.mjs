// An outage of 6 s at 50,000 events/s, and processes that are killed while they spool:
//   npm run conformance:elastic -- [rounds, 3] [kills, 6]
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

const files = ['main.ts', 'server.ts', 'subject.ts'];
await runBundled(fileURLToPath(new URL('.', import.meta.url)), files);
