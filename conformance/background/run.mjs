// Ends an app that has jobs of BullMQ and Bull, schedules, messages over TCP and Redis and a request
// under way, over a real Redis: `npm run conformance:background`. As root on Debian it installs
// redis-server.
import { ensureRedis } from '../redis-server.mjs';
import { runBundled } from '../bundle.mjs';

ensureRedis();
await runBundled(import.meta.dirname, ['main.ts', 'app.ts']);
