import type { PostgresPool } from '@apix/cron/postgres';

/** A row as both drivers give it: column name to value. */
export type Row = Readonly<Record<string, unknown>>;

/** The little that the shop asks of PostgreSQL, embedded or remote. */
export interface Database {
  /** Where the data is, for the start-up report; never a password. */
  readonly description: string;
  /** One statement with `$1` parameters. */
  query<R extends Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Several statements without parameters, as one transaction. */
  script(text: string): Promise<void>;
  /** The pool, where several processes may share the data; null for an embedded database. */
  readonly pool: PostgresPool | null;
  close(): Promise<void>;
}
