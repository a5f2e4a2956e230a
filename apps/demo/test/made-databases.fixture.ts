import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const { version } = JSON.parse(
  readFileSync(join(MODULES, '@electric-sql/pglite/package.json'), 'utf8'),
) as { readonly version: string };
const CACHE = join(MODULES, '.cache/apix-demo');
/** Another version makes its own. */
const MADE = join(CACHE, `database-${version}`);
/** Below `DATA_DIR`: those of the shop and of payments. */
const FOLDERS = ['db', 'payments'];

/**
 * Gives a data folder its databases, empty: embedded PostgreSQL needs five seconds to make one, and the shop starts in one
 * without them.
 */
export async function giveDatabases(dataFolder: string): Promise<void> {
  await makeOnce();
  for (const folder of FOLDERS) await cp(MADE, join(dataFolder, folder), { recursive: true });
}

/** Of two processes that make it at the same time, the second one finds that of the first. */
async function makeOnce(): Promise<void> {
  if (existsSync(MADE)) return;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'making-'));
  const made = join(folder, 'database');
  const database = await PGlite.create(made);
  await database.close();
  await rename(made, MADE).catch((error: unknown) => {
    if (!existsSync(MADE)) throw error;
  });
  await rm(folder, { recursive: true });
}
