// Runs cel-spec's cases and random expressions compared with @bufbuild/cel: `npm run conformance:cel`, `-- --quick` for fewer.
import { runBundled } from '../bundle.mjs';

// @bufbuild/cel reads parts of timestamps by the local zone.
process.env.TZ = 'UTC';
await runBundled(import.meta.dirname, ['main.ts']);
