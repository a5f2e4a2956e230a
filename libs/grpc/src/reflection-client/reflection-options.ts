import { type Duration, Mistakes } from '@apix/contracts';
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

/** The same, checked and with every default. */
export interface ReflectionLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** @throws GrpcSetupError that lists the mistakes in the options. */
export function reflectionLimits(options: ReflectionOptions): ReflectionLimits {
  const { timeout = '10s', maxBytes = 32 * 1024 * 1024, maxFiles = 4_096 } = options;
  const mistakes = new Mistakes();
  const limits = {
    timeoutMs: mistakes.duration('timeout', timeout, { min: 1 }),
    maxBytes: mistakes.count('maxBytes', maxBytes, { min: 1 }),
    maxFiles: mistakes.count('maxFiles', maxFiles, { min: 1 }),
  };
  mistakes.throwIfAny(setupError);
  return limits;
}
