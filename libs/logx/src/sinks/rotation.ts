import { choice, FLAG, finiteNumber, type OptionTable } from '@apix/contracts/internal';

/** When a new file is started, in addition to the limit of its size. */
export type RotationInterval = 'none' | 'hourly' | 'daily';

/** The rotation of a file sink; field names as in a configuration document. */
export interface Rotation {
  /** Mebibytes after which a new file is started; fractions are allowed. Default (and 0): 100. */
  readonly maxSizeMB?: number | undefined;
  /** How many old files are kept. Default: 0, all of them. */
  readonly maxBackups?: number | undefined;
  /** Days after which an old file is deleted, by the time in its name. Default: 0, never. */
  readonly maxAgeDays?: number | undefined;
  /** Compresses old files with gzip, in the background. Default: false. */
  readonly compress?: boolean | undefined;
  /** Uses local time for the names of old files and the boundaries of days and hours. Default: false, UTC. */
  readonly localTime?: boolean | undefined;
  /** Starts a new file with the first line of an hour or a day. Default: `'none'`. */
  readonly every?: RotationInterval | undefined;
}

/** A rotation with all defaults, in bytes and milliseconds; 0 means no limit. */
export interface RotationPlan {
  readonly maxBytes: number;
  readonly maxBackups: number;
  readonly maxAgeMs: number;
  readonly compress: boolean;
  readonly localTime: boolean;
  readonly every: RotationInterval;
}

export const ROTATION_INTERVALS = ['none', 'hourly', 'daily'] as const;
const DEFAULT_MAX_SIZE_MB = 100;
const MEBIBYTE = 1024 * 1024;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The allowed values of each option of a rotation. */
export const ROTATION_OPTIONS = {
  maxSizeMB: finiteNumber({ min: 0 }),
  maxBackups: finiteNumber({ min: 0 }),
  maxAgeDays: finiteNumber({ min: 0 }),
  compress: FLAG,
  localTime: FLAG,
  every: choice(ROTATION_INTERVALS),
} satisfies OptionTable<Rotation>;

/** The plan of a rotation whose options are valid. */
export function planRotation(rotation: Rotation): RotationPlan {
  return {
    maxBytes: (rotation.maxSizeMB || DEFAULT_MAX_SIZE_MB) * MEBIBYTE,
    maxBackups: rotation.maxBackups ?? 0,
    maxAgeMs: (rotation.maxAgeDays ?? 0) * DAY_MS,
    compress: rotation.compress ?? false,
    localTime: rotation.localTime ?? false,
    every: rotation.every ?? 'none',
  };
}

/** The first moment after `time` at which a new file is due: `Infinity` for `none`. */
export function nextBoundary(plan: RotationPlan, time: number): number {
  switch (plan.every) {
    case 'none':
      return Infinity;
    case 'hourly': {
      const shift = plan.localTime ? -new Date(time).getTimezoneOffset() * 60_000 : 0;
      return Math.floor((time + shift) / HOUR_MS) * HOUR_MS + HOUR_MS - shift;
    }
    case 'daily': {
      if (!plan.localTime) return Math.floor(time / DAY_MS) * DAY_MS + DAY_MS;
      const day = new Date(time);
      return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
    }
  }
}
