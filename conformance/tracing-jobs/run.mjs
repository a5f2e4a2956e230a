// Compares the spans of jobs of BullMQ and of messages of Nest over a real Redis, with a host and
// without: `npm run conformance:tracing-jobs`. As root on Debian it installs redis-server.
import { ensureRedis } from '../redis-server.mjs';
import { runBundled } from '../bundle.mjs';

ensureRedis();
await runBundled(import.meta.dirname, ['main.ts']);
