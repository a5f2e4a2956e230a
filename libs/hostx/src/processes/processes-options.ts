import { type Duration, Mistakes, shownValue } from '@apix/contracts';
import {
  callable,
  duration,
  isRecord,
  option,
  type Option,
  type OptionTable,
  type ReadOptions,
  readOptions,
  schemaOf,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { availableParallelism } from 'node:os';
import type { HostBuilder } from '../host/host-builder.js';
import type { Host } from '../host/host-handle.js';
import { mistakesIn } from '../errors.js';
import { RESTART, type RestartPolicy } from '../supervision/restart-policy.js';

/** The variable that says how many processes an app has. */
export const PROCESSES_VARIABLE = 'APP_PROCESSES';

/** How many processes: a number, or one for each core that the process may use. */
export type ProcessCount = number | 'cores';

/** How the processes of an app are run. */
export interface ProcessesOptions {
  /** How many, from 1 to 256. Default: the variable APP_PROCESSES, or 'cores'. */
  readonly count?: ProcessCount;
  /**
   * How many must be ready for the app to be ready, as each of them says on its readiness probe. Default: half
   * of them, rounded up.
   */
  readonly minReady?: number;
  /**
   * How a process that ended is started again; during the first start of the app none is. Default: as for a
   * service, with a `maxDelay` of '30s'.
   */
  readonly restart?: RestartPolicy;
  /** How long a process may take until it is ready; one that takes longer is killed. Default: '1m'. */
  readonly readyTimeout?: Duration;
  /**
   * Adds to the host of the parent what is there once for all processes: `(builder) => bindSystemd(builder)` of
   * `@apix/hostx-os/sdnotify`, or an instance lock with a closer that releases it. Default: nothing.
   */
  readonly parent?: (builder: HostBuilder) => void;
  /**
   * How the host of the parent is run, such as `run` of `windowsService()` of `@apix/hostx-os/winsvc`. Default: `run` of
   * `runHost`, or else `(host) => host.run()`.
   */
  readonly run?: (host: Host) => Promise<void>;
}

/** The most processes that an app can have. */
const MOST = 256;

const COUNT: Option<ProcessCount> = option(
  `"cores" or a whole number from 1 to ${MOST}`,
  (value) => value === 'cores' || isCount(value),
  { anyOf: [{ const: 'cores' }, { type: 'integer', minimum: 1, maximum: MOST }] },
);

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MOST;
}

const RESTART_DEFAULTS: RestartPolicy = { maxDelay: '30s' };

const PROCESSES_OPTIONS = {
  count: COUNT,
  minReady: wholeNumber({ min: 1 }),
  restart: RESTART,
  readyTimeout: withDefault(duration({ min: 1 }), 60_000),
  parent: callable<(builder: HostBuilder) => void>(),
  run: callable<(host: Host) => Promise<void>>(),
} satisfies OptionTable<Readonly<Record<keyof ProcessesOptions, unknown>>>;

/** The option `processes`: a count, or all options. */
export const PROCESSES: Option<ReadOptions<typeof PROCESSES_OPTIONS>> = {
  schema: { anyOf: [COUNT.schema, schemaOf(PROCESSES_OPTIONS)] },
  read(value, at, mistakes) {
    if (isRecord(value)) return readOptions(PROCESSES_OPTIONS, value, at, mistakes);
    const count = COUNT.read(value, at, mistakes);
    return count === undefined
      ? undefined
      : readOptions(PROCESSES_OPTIONS, { count }, at, mistakes);
  },
};

/** {@link ProcessesOptions} with every default filled in. */
export interface ResolvedProcesses {
  readonly count: number;
  readonly minReady: number;
  readonly restart: RestartPolicy;
  readonly readyTimeoutMs: number;
  readonly parent: (builder: HostBuilder) => void;
  readonly run: ((host: Host) => Promise<void>) | undefined;
}

/**
 * The processes that an app is to have; null: it runs in this process alone, because neither the option nor the
 * variable APP_PROCESSES says anything else.
 *
 * @throws HostError that lists every mistake.
 */
export function resolveProcesses(
  given: ProcessCount | ProcessesOptions | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ResolvedProcesses | null {
  const mistakes = new Mistakes();
  const inEnvironment = countIn(env, mistakes);
  const read =
    given === undefined && inEnvironment === undefined
      ? undefined
      : PROCESSES.read(given ?? {}, 'processes', mistakes);
  if (read === undefined && mistakes.found.length === 0) return null;
  // The variable is for the operator, who knows the machine.
  const asked = inEnvironment ?? read?.count ?? 'cores';
  const count = asked === 'cores' ? availableParallelism() : asked;
  const minReady = read?.minReady ?? Math.ceil(count / 2);
  if (minReady > count) {
    mistakes.add(
      'processes.minReady',
      `must be at most the number of processes, ${count}, not ${minReady}`,
    );
  }
  if (mistakes.found.length > 0) throw mistakesIn('the app cannot be started')(mistakes.found);
  const own = isRecord(given) ? (given as ProcessesOptions).restart : undefined;
  return {
    count,
    minReady,
    restart: { ...RESTART_DEFAULTS, ...own },
    readyTimeoutMs: read!.readyTimeout,
    parent: read!.parent ?? (() => {}),
    run: read!.run,
  };
}

function countIn(
  env: Readonly<Record<string, string | undefined>>,
  mistakes: Mistakes,
): ProcessCount | undefined {
  const text = env[PROCESSES_VARIABLE]?.trim() ?? '';
  if (text === '') return undefined;
  const count = text === 'cores' ? text : Number(text);
  if (count === 'cores' || isCount(count)) return count;
  mistakes.add(
    `the variable ${PROCESSES_VARIABLE}`,
    `must be "cores" or a whole number from 1 to ${MOST}, not ${shownValue(text)}`,
  );
  return undefined;
}
