// Attacks every entry point of an app as strangers would: `npm run conformance:hostile -- [part of a
// row's name]`.
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

await runBundled(fileURLToPath(new URL('.', import.meta.url)), [
  'main.ts',
  'app.ts',
  'second-caller.ts',
]);
