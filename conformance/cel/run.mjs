// Runs cel-spec's cases and random expressions beside @bufbuild/cel: `npm run conformance:cel`, `-- --quick` for fewer.
import { runBundled } from '../bundle.mjs';

await runBundled(import.meta.dirname, ['main.ts']);
