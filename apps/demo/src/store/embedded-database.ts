import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import type { Database, Row } from './database.js';

/** PostgreSQL inside this process; its files live in `directory`, which is made when missing. */
export async function openEmbeddedDatabase(directory: string): Promise<Database> {
  await mkdir(directory, { recursive: true });
  const db = await PGlite.create(directory);
  return {
    description: `embedded PostgreSQL in ${directory}`,
    async query<R extends Row>(text: string, values: readonly unknown[] = []) {
      const result = await db.query<R>(text, [...values]);
      return result.rows;
    },
    async script(text) {
      await db.transaction(async (tx) => {
        await tx.exec(text);
      });
    },
    pool: null,
    close: () => db.close(),
  };
}
