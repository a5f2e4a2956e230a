import { join } from 'node:path';
import { dataFolder } from '../assets.js';
import { setting } from '../settings.js';
import type { Database } from './database.js';
import { openEmbeddedDatabase } from './embedded-database.js';
import { openPostgresDatabase } from './postgres-database.js';

/** PostgreSQL at DATABASE_URL, or embedded in a folder of DATA_DIR. */
export function openDatabase(folder: string): Promise<Database> {
  const url = setting('DATABASE_URL');
  return url === undefined
    ? openEmbeddedDatabase(join(dataFolder(), folder))
    : openPostgresDatabase(url);
}
