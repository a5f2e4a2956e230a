import type { Duration } from '@apix/contracts';
import {
  checkedOptions,
  duration,
  objectWith,
  option,
  type OptionTable,
  required,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { cronErrorOf } from '../errors.js';

/** What replicas need of a pool: that of `pg` has it, and PGlite, and every wrapper with the same method. */
export interface PostgresPool {
  /** Runs one statement with the parameters `$1`, `$2` … */
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Where the table of the jobs is. */
export interface PostgresTableOptions {
  /** The schema of the table. Default: the first one of the connection's `search_path`. */
  readonly schema?: string | undefined;
  /** Name of the table. Apps that share a schema need different ones. Default: 'apix_cron_jobs'. */
  readonly table?: string | undefined;
}

/** How replicas share the database, and when one of them counts as lost. */
export interface PostgresOptions extends PostgresTableOptions {
  /** The app's own pool, such as that of `pg`. It is not closed, and no connection is kept. */
  readonly pool: PostgresPool;
  /**
   * How long a replica may be silent until its run counts as lost and another replica runs the tick again;
   * that happens after at most half of this time more. A replica whose event loop is blocked for longer is
   * silent too. Default: '10s'.
   */
  readonly rerunAfter?: Duration | undefined;
  /**
   * How often a tick whose replica was lost or has stopped is run again, until it is given up. With 0 no tick
   * begins twice. Default: 1.
   */
  readonly maxReruns?: number | undefined;
}

/** Checked and filled options; times in milliseconds. */
export interface ResolvedPostgresOptions {
  readonly pool: PostgresPool;
  /** The quoted name. */
  readonly table: string;
  readonly leaseMs: number;
  readonly maxReruns: number;
}

/** PostgreSQL cuts longer names off, so that two of them could be one. */
const MAX_NAME_BYTES = 63;

const NAME = option<string>(
  'a name of 1 to 63 bytes',
  (value) =>
    typeof value === 'string' &&
    value !== '' &&
    !value.includes('\0') &&
    Buffer.byteLength(value) <= MAX_NAME_BYTES,
);

const TABLE_OPTIONS = {
  schema: NAME,
  table: withDefault(NAME, 'apix_cron_jobs'),
} satisfies OptionTable<PostgresTableOptions>;

const POOL = objectWith<PostgresPool>('a pool', 'query');

const POSTGRES_OPTIONS = {
  ...TABLE_OPTIONS,
  pool: required(POOL, { query: () => Promise.resolve({ rows: [] }) }),
  rerunAfter: withDefault(duration({ min: 100, max: 86_400_000 }), 10_000),
  maxReruns: withDefault(wholeNumber({ min: 0, max: 1_000 }), 1),
} satisfies OptionTable<PostgresOptions>;

const subject = cronErrorOf('cron: replicas');

/** @throws CronError that lists every mistake. */
export function resolvePostgresOptions(options: PostgresOptions): ResolvedPostgresOptions {
  const { pool, rerunAfter, maxReruns, ...name } = checkedOptions(
    POSTGRES_OPTIONS,
    options,
    subject,
  );
  return { pool, table: quoted(name), leaseMs: rerunAfter, maxReruns };
}

/** @throws CronError that lists every mistake. */
export function quotedTable(options: PostgresTableOptions): string {
  return quoted(checkedOptions(TABLE_OPTIONS, options, subject));
}

function quoted({ schema, table }: { schema?: string | undefined; table: string }): string {
  const names = schema === undefined ? [table] : [schema, table];
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.');
}
