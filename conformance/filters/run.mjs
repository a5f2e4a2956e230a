// Random conditions on random records, listed by Drizzle, Kysely, Prisma and TypeORM on the embedded PostgreSQL, compared with the
// conditions themselves: `npm run conformance:filters`, `-- --quick` for fewer.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';

installed(import.meta.dirname);
// The generator does not run the engine of migrations, which would be downloaded; any program will do.
const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };
const prisma = join(import.meta.dirname, 'node_modules/prisma/build/index.js');
execFileSync(process.execPath, [prisma, 'generate'], {
  cwd: import.meta.dirname,
  env,
  stdio: ['ignore', 'ignore', 'inherit'],
});
await runBundled(
  import.meta.dirname,
  ['main.ts'],
  join(import.meta.dirname, 'node_modules/.cache'),
);
