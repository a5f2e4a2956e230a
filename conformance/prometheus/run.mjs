// Has Debian's Prometheus scrape an app and the demo, and asks it for the metrics of the specification:
// `npm run conformance:prometheus`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runBundled } from '../bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
execFileSync(
  process.execPath,
  [join(root, 'node_modules/@nestjs/cli/bin/nest.js'), 'build', 'demo'],
  {
    cwd: root,
  },
);
await runBundled(fileURLToPath(new URL('.', import.meta.url)), ['main.ts', 'app.ts']);
