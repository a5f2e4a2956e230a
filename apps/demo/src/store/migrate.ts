import type { Database } from './database.js';

export interface Migration {
  readonly id: number;
  readonly script: string;
}

/**
 * Brings a schema up to date, one transaction a step; returns the ids of the steps taken.
 *
 * @param table which keeps the ids: one for each service, where they share a database.
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[],
  table: string,
): Promise<readonly number[]> {
  await db.script(`create table if not exists ${table} (id integer primary key)`);
  const rows = await db.query<{ id: number }>(`select id from ${table}`);
  const done = new Set(rows.map(({ id }) => id));
  const due = migrations.filter(({ id }) => !done.has(id));
  for (const { id, script } of due) {
    await db.script(`${script}; insert into ${table} values (${id})`);
  }
  return due.map(({ id }) => id);
}
