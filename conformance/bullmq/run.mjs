// Shares cron jobs among three processes over a real Redis, and kills one of them again and again:
// `npm run conformance:bullmq -- --ticks 60`. As root on Debian it installs redis-server.
import { ensureRedis } from '../redis-server.mjs';
import { runBundled } from '../bundle.mjs';

ensureRedis();
await runBundled(import.meta.dirname, ['main.ts', 'replica.ts']);
