// Follows traces through three processes, from an app of ESM with Nest 12 and one of CommonJS with
// Nest 11 to an OTLP receiver: `npm run conformance:tracing`. `-- --app esm` runs one of them.
// Expects `npm run build`; as root on Debian it installs redis-server.
// Why: docs/decisions/0247
import { parseArgs } from 'node:util';
import { runBundled } from '../bundle.mjs';
import { ensureRedis } from '../redis-server.mjs';
import { buildApps } from './build-apps.mjs';

const { values } = parseArgs({ options: { app: { type: 'string', multiple: true } } });
ensureRedis();
const apps = await buildApps(values.app ?? ['esm', 'cjs']);
process.env.TRACING_APPS = JSON.stringify(apps);
await runBundled(import.meta.dirname, ['main.ts']);
