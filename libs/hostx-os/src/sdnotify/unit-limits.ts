import { option, type OptionTable, type ReadOptions } from '@apix/contracts/internal';

/** What a service may use, by the words of systemd. */
export interface UnitLimits {
  /** LimitNOFILE: open files, and so also connections; the soft limit, or `soft:hard`. */
  readonly nofile?: number | string;
  /** LimitNPROC: processes of its user, which are of the whole machine; see `tasksMax`. */
  readonly nproc?: number | string;
  /** LimitCORE: bytes of a core dump, such as 0 or `infinity`. */
  readonly core?: number | string;
  /** MemoryHigh: bytes, such as `400M`, above which the service is slowed down. */
  readonly memoryHigh?: number | string;
  /** MemoryMax: bytes, such as `512M`, or a share such as `20%`, above which it is killed and restarted. */
  readonly memoryMax?: number | string;
  /** TasksMax: its processes and threads; Node has about 15 threads. */
  readonly tasksMax?: number | string;
  /** CPUQuota: the share of one processor, such as `50%`; `200%` is two. */
  readonly cpuQuota?: string;
}

const limit = (what: string, form: RegExp) =>
  option<number | string>(what, (value) =>
    typeof value === 'number'
      ? Number.isSafeInteger(value) && value >= 0
      : typeof value === 'string' && form.test(value),
  );

const COUNT = limit(
  'a whole number, infinity, or two of them with ":"',
  /^(?:\d+|infinity)(?::(?:\d+|infinity))?$/,
);
const SIZE = limit(
  'a number of bytes, also with K, M, G or T, or infinity',
  /^(?:\d+[KMGT]?|infinity)$/,
);
const MEMORY = limit(
  'a number of bytes, also with K, M, G or T, a share such as 20%, or infinity',
  /^(?:\d+(?:\.\d+)?%|\d+[KMGT]?|infinity)$/,
);

/** The allowed values of the limits. */
export const LIMITS = {
  nofile: COUNT,
  nproc: COUNT,
  core: SIZE,
  memoryHigh: MEMORY,
  memoryMax: MEMORY,
  tasksMax: limit('a whole number, a share such as 20%, or infinity', /^(?:\d+%?|infinity)$/),
  cpuQuota: option<string>(
    'a share such as 50%, or more than 100% for several processors',
    (value) => typeof value === 'string' && /^[1-9]\d*(?:\.\d+)?%$/.test(value),
  ),
} satisfies OptionTable<UnitLimits>;

const NAMES: Readonly<Record<keyof UnitLimits, string>> = {
  nofile: 'LimitNOFILE',
  nproc: 'LimitNPROC',
  core: 'LimitCORE',
  memoryHigh: 'MemoryHigh',
  memoryMax: 'MemoryMax',
  tasksMax: 'TasksMax',
  cpuQuota: 'CPUQuota',
};

/** The lines of a unit for its limits. */
export function limitLines(limits: ReadOptions<typeof LIMITS>): readonly string[] {
  return (Object.keys(NAMES) as (keyof UnitLimits)[]).flatMap((key) => {
    const value = limits[key];
    return value === undefined ? [] : [`${NAMES[key]}=${value}`];
  });
}
