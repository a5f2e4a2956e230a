// Shares cron jobs among ten processes over PostgreSQL, and kills and pauses them:
// `npm run conformance:postgres-ticks -- --quick`. As root on Debian it installs postgresql and pgbouncer.
import { buildDemo, runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';
import { ensurePgbouncer, ensurePostgres } from '../postgres-server.mjs';

ensurePostgres();
if (!process.argv.includes('--quick')) ensurePgbouncer();
installed(import.meta.dirname);
buildDemo();
await runBundled(import.meta.dirname, ['main.ts', 'replica.ts']);
