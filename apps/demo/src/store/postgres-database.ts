import { Pool } from 'pg';
import type { Database, Row } from './database.js';

/** PostgreSQL at a connection URL such as `postgres://user:secret@host:5432/shop`. */
export async function openPostgresDatabase(url: string): Promise<Database> {
  const pool = new Pool({ connectionString: url });
  // An idle connection that breaks is replaced by the pool; without a listener it ends the process.
  pool.on('error', () => {});
  await pool.query('select 1');
  const { host, pathname } = new URL(url);
  return {
    description: `PostgreSQL at ${host}${pathname}`,
    async query<R extends Row>(text: string, values: readonly unknown[] = []) {
      const result = await pool.query<R>(text, [...values]);
      return result.rows;
    },
    async script(text) {
      const client = await pool.connect();
      try {
        // Several statements in one simple query are one transaction.
        await client.query(text);
      } finally {
        client.release();
      }
    },
    pool,
    close: () => pool.end(),
  };
}
