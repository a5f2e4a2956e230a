// Tries what the READMEs say of others, on the versions that are installed: `npm run conformance:compared`. A row
// that no longer holds fails, so that the tables stay true.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';

installed(import.meta.dirname);
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts']);
process.exit();
