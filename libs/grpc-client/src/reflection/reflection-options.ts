import type { Duration } from '@apix/contracts';
import {
  checkedOptions,
  duration,
  type OptionTable,
  type ReadOptions,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { setupError } from '../errors.js';

/** Limits for the size and the duration of a server's description. */
export interface ReflectionOptions {
  /** How long all of it may take, connecting included. Default: `10s`. */
  readonly timeout?: Duration | undefined;
  /** The most bytes that all files may have. Default: 32 MiB. */
  readonly maxBytes?: number | undefined;
  /** The most files, and the most services. Default: 4,096. */
  readonly maxFiles?: number | undefined;
}

const REFLECTION_OPTIONS = {
  timeout: withDefault(duration({ min: 1 }), 10_000),
  maxBytes: withDefault(wholeNumber({ min: 1 }), 32 * 1024 * 1024),
  maxFiles: withDefault(wholeNumber({ min: 1 }), 4_096),
} satisfies OptionTable<ReflectionOptions>;

/** The same, checked and with every default; times in milliseconds. */
export type ReflectionLimits = ReadOptions<typeof REFLECTION_OPTIONS>;

/** @throws GrpcSetupError that lists the mistakes in the options. */
export function reflectionLimits(options: ReflectionOptions): ReflectionLimits {
  return checkedOptions(REFLECTION_OPTIONS, options, setupError);
}
