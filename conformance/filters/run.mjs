// Random conditions on random records, listed by Drizzle, Kysely and TypeORM on the embedded PostgreSQL, compared with the
// conditions themselves: `npm run conformance:filters`, `-- --quick` for fewer.
import { join } from 'node:path';
import { runBundled } from '../bundle.mjs';
import { installed } from '../installed.mjs';

installed(import.meta.dirname);
await runBundled(
  import.meta.dirname,
  ['main.ts'],
  join(import.meta.dirname, 'node_modules/.cache'),
);
