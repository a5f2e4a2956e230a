import type { Mistakes } from '@apix/contracts';

/** When a file begins anew beside its size. */
export type RotationInterval = 'none' | 'hourly' | 'daily';

/** The rotation of a file sink; field names as in a configuration document. */
export interface Rotation {
  /** Mebibytes after which a new file begins; fractions are allowed. Default (and 0): 100. */
  readonly maxSizeMB?: number | undefined;
  /** How many old files are kept. Default: 0, all of them. */
  readonly maxBackups?: number | undefined;
  /** Days after which an old file is deleted, by the time in its name. Default: 0, never. */
  readonly maxAgeDays?: number | undefined;
  /** Compresses old files with gzip, in the background. Default: false. */
  readonly compress?: boolean | undefined;
  /** Names old files, and tells days and hours apart, by local time. Default: false, UTC. */
  readonly localTime?: boolean | undefined;
  /** Begins a new file with the first line of an hour or a day. Default: `'none'`. */
  readonly every?: RotationInterval | undefined;
}

/** A rotation with everything filled in, in bytes and milliseconds; 0 means no limit. */
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

/** The plan of a rotation; what is wrong with it is added to the mistakes. */
export function planRotation(rotation: Rotation, mistakes: Mistakes): RotationPlan {
  const limit = (key: 'maxSizeMB' | 'maxBackups' | 'maxAgeDays'): number =>
    mistakes.number(`rotation.${key}`, rotation[key] ?? 0, { min: 0 });
  return {
    maxBytes: (limit('maxSizeMB') || DEFAULT_MAX_SIZE_MB) * MEBIBYTE,
    maxBackups: limit('maxBackups'),
    maxAgeMs: limit('maxAgeDays') * DAY_MS,
    compress: mistakes.flag('rotation.compress', rotation.compress ?? false),
    localTime: mistakes.flag('rotation.localTime', rotation.localTime ?? false),
    every: mistakes.choice('rotation.every', rotation.every ?? 'none', ROTATION_INTERVALS),
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
