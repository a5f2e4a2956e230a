// A collector that is away for 6 s at 50,000 events/s, over gRPC and HTTP:
//   npm run conformance:otel-outage -- [rounds, 3] [events/s, 50000]
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

const files = ['main.ts', 'collector.ts', 'subject.ts'];
await runBundled(fileURLToPath(new URL('.', import.meta.url)), files);
