import { CronError } from '../errors.js';
import { type PostgresPool, type PostgresTableOptions, quotedTable } from './postgres-options.js';

/**
 * The statement that creates the table in which replicas share their jobs, for a migration. Without one the
 * table is created when it is first needed, where the user may do that.
 *
 * @throws CronError for wrong names.
 */
export function postgresTableSql(options: PostgresTableOptions = {}): string {
  return createSql(quotedTable(options));
}

function createSql(table: string): string {
  return `create table if not exists ${table} (
  job text primary key,
  -- The latest tick that was given to a replica, or dropped.
  last_tick timestamptz,
  -- Grows with every run.
  fence bigint not null default 0,
  -- Of the run under way; without one, of none.
  holder uuid,
  run_tick timestamptz,
  reruns integer not null default 0,
  leased_from timestamptz,
  leased_until timestamptz,
  -- Of the last run whose replica still had its lease at the end.
  outcome text,
  ended_at timestamptz
)`;
}

/** The holder's lease, in the time of the database. A clock that was set back by a minute ends it too. */
const IS_LIVE = `(t.holder is not null and t.leased_until > clock_timestamp()
  and t.leased_from < clock_timestamp() + interval '1 minute')`;

const LEASE_END = `clock_timestamp() + $3::float8 * interval '1 millisecond'`;

/** Whose attempt it is, and for how long. */
export interface Claim {
  readonly job: string;
  /** A UUID: a claim that is sent again is the same one. */
  readonly holder: string;
  readonly leaseMs: number;
}

/** What the database says of a job after a claim. */
export interface ClaimedRow {
  readonly is_mine: boolean;
  readonly fence: number;
  /** In milliseconds since the epoch; null for a run outside of the schedule. */
  readonly run_tick: number | null;
  /** Whether a run is unfinished; its replica may be lost. */
  readonly is_unfinished: boolean;
  /** How long the lease of an unfinished run still lasts. */
  readonly ms_left: number;
  readonly reruns: number;
}

export interface TickRow extends ClaimedRow {
  /** Whether this claim decided the tick: took it, or dropped it as another run is unfinished. */
  readonly is_decided: boolean;
  /** Whether another claim decided the tick at the same time, so that the rest is what was before. */
  readonly is_stale: boolean;
  /** How much too early the tick is in the time of the database; then nothing was decided. */
  readonly early_ms: number;
}

const COLUMNS = `coalesce(t.holder = $2::uuid, false) as is_mine, coalesce(t.fence, 0)::float8 as fence,
  round(extract(epoch from t.run_tick) * 1000)::float8 as run_tick, t.holder is not null as is_unfinished,
  coalesce(greatest(0, extract(epoch from t.leased_until - clock_timestamp()) * 1000), 0)::float8 as ms_left,
  coalesce(t.reruns, 0) as reruns`;

/** The statements on the table of jobs. Each one is a transaction of its own, on any connection. */
export class JobTable {
  readonly #pool: PostgresPool;
  readonly #table: string;

  constructor(pool: PostgresPool, table: string) {
    this.#pool = pool;
    this.#table = table;
  }

  /** The database decides who runs a tick, unless that is decided. */
  async claimTick({ job, holder, leaseMs }: Claim, tick: number): Promise<TickRow> {
    const time = `to_timestamp($4::float8 / 1000)`;
    const taken = ['run_tick', 'holder', 'reruns', 'fence', 'leased_from', 'leased_until'];
    const choices = taken.map(
      (name) => `case when now.is_live then t.${name} else now.${name} end`,
    );
    const [row] = await this.#query<TickRow>(
      `with early as materialized (
        select greatest(0, ceil($4::float8 - extract(epoch from clock_timestamp()) * 1000)) as ms
      ), claim as (
        insert into ${this.#table} as t
          (job, last_tick, run_tick, holder, fence, leased_from, leased_until)
        select $1::text, ${time}, ${time}, $2::uuid, 1, clock_timestamp(), ${LEASE_END}
        from early where ms = 0
        on conflict (job) do update set last_tick = excluded.last_tick, (${taken.join(', ')}) = (
          select ${choices.join(', ')}
          from (select ${IS_LIVE} as is_live, excluded.run_tick, $2::uuid as holder, 0 as reruns,
            t.fence + 1 as fence, clock_timestamp() as leased_from, ${LEASE_END} as leased_until) now
        )
        where t.last_tick is null or t.last_tick < excluded.last_tick
          or t.last_tick > clock_timestamp() + interval '1 minute'
        returning *
      ), ${seen(this.#table)}
      select early.ms::float8 as early_ms, coalesce(t.is_claim, false) as is_decided,
        coalesce(t.last_tick < ${time}, true) as is_stale, ${COLUMNS}
      from early left join seen t on true`,
      [job, holder, leaseMs, tick],
    );
    return row!;
  }

  /** Begins a run outside of the schedule, unless one is unfinished. */
  async claimNow({ job, holder, leaseMs }: Claim): Promise<ClaimedRow | undefined> {
    const rows = await this.#query<ClaimedRow>(
      `with claim as (
        insert into ${this.#table} as t (job, holder, fence, leased_from, leased_until)
        values ($1::text, $2::uuid, 1, clock_timestamp(), ${LEASE_END})
        on conflict (job) do update set ${takes('null', '0')} where not ${IS_LIVE}
        returning *
      ), ${seen(this.#table)}
      select ${COLUMNS} from seen t`,
      [job, holder, leaseMs],
    );
    return rows[0];
  }

  /** Takes an unfinished run over whose lease is over. */
  async claimLost(
    { job, holder, leaseMs }: Claim,
    maxReruns: number,
  ): Promise<ClaimedRow | undefined> {
    const rows = await this.#query<ClaimedRow>(
      `with claim as (
        update ${this.#table} t set ${takes('t.run_tick', 't.reruns + 1')}
        where t.job = $1::text and t.holder is not null and not ${IS_LIVE} and t.reruns < $4::integer
        returning *
      ), ${seen(this.#table)}
      select ${COLUMNS} from seen t`,
      [job, holder, leaseMs, maxReruns],
    );
    return rows[0];
  }

  /** Extends a lease; false if it is over. */
  async renew({ job, holder, leaseMs }: Claim): Promise<boolean> {
    const rows = await this.#query(
      `update ${this.#table} t set leased_from = clock_timestamp(), leased_until = ${LEASE_END}
      where t.job = $1::text and t.holder = $2::uuid and ${IS_LIVE} returning 1`,
      [job, holder, leaseMs],
    );
    return rows.length > 0;
  }

  /** Writes the result of a run; false if its lease is over, and the result is not that of the tick. */
  async finish({ job, holder }: Claim, outcome: string): Promise<boolean> {
    const rows = await this.#query(
      `update ${this.#table} t set holder = null, run_tick = null, outcome = $3::text, ended_at = clock_timestamp()
      where t.job = $1::text and t.holder = $2::uuid and ${IS_LIVE} returning 1`,
      [job, holder, outcome],
    );
    return rows.length > 0;
  }

  /** Ends a lease before its time, for another replica to run the tick again; false if it is over already. */
  async release({ job, holder }: Claim): Promise<boolean> {
    const rows = await this.#query(
      `update ${this.#table} t set leased_until = clock_timestamp()
      where t.job = $1::text and t.holder = $2::uuid and ${IS_LIVE} returning 1`,
      [job, holder],
    );
    return rows.length > 0;
  }

  async #query<R>(text: string, values: unknown[]): Promise<readonly R[]> {
    try {
      return await this.#rows<R>(text, values);
    } catch (error) {
      if (codeOf(error) !== UNDEFINED_TABLE) throw error;
    }
    await this.#create();
    return this.#rows<R>(text, values);
  }

  async #rows<R>(text: string, values: unknown[]): Promise<readonly R[]> {
    return (await this.#pool.query(text, values)).rows as readonly R[];
  }

  async #create(): Promise<void> {
    try {
      await this.#pool.query(createSql(this.#table), []);
    } catch (error) {
      // Another replica has created it at the same time.
      if (TABLE_EXISTS.has(codeOf(error))) return;
      throw new CronError(
        `cron: replicas: the table ${this.#table} does not exist and cannot be created; ` +
          `run the statement of postgresTableSql() as a user who may create it`,
        { cause: error },
      );
    }
  }
}

function takes(tick: string, reruns: string): string {
  return `run_tick = ${tick}, reruns = ${reruns}, holder = $2::uuid, fence = t.fence + 1,
    leased_from = clock_timestamp(), leased_until = ${LEASE_END}`;
}

/** The row of the claim, or else the one that was there before the statement. */
function seen(table: string): string {
  return `seen as (
    select true as is_claim, * from claim union all
    select false, * from ${table} where job = $1::text and not exists (select from claim)
  )`;
}

const UNDEFINED_TABLE = '42P01';

/** duplicate_table, and unique_violation of the catalogue. */
const TABLE_EXISTS = new Set(['42P07', '23505']);

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
