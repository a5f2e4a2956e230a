import { type Mistakes, shownValue } from '@apix/contracts';

/** The algorithms that gRPC implementations support (compression.md of gRPC). */
export type CompressionAlgorithm = 'gzip' | 'deflate';

/** How messages that are sent are compressed. */
export interface CompressionOptions {
  /** Required. */
  readonly algorithm: CompressionAlgorithm;
  /** Shorter messages are sent as they are: they hardly become smaller. In bytes. Default: 1024. */
  readonly minBytes?: number;
}

const MIN_BYTES = 1_024;

/** The option `compression` with defaults; undefined if it is not set. Records every mistake. */
export function checkCompression(
  given: CompressionAlgorithm | CompressionOptions | undefined,
  mistakes: Mistakes,
): Required<CompressionOptions> | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'string')
    return { algorithm: known('compression', given, mistakes), minBytes: MIN_BYTES };
  if (typeof given !== 'object' || given === null) {
    const culprit = shownValue(given);
    mistakes.add(
      'compression',
      `must be "gzip", "deflate" or an object with an algorithm, not ${culprit}`,
    );
    return undefined;
  }
  return {
    algorithm: known('compression.algorithm', given.algorithm, mistakes),
    minBytes: mistakes.count('compression.minBytes', given.minBytes ?? MIN_BYTES, { min: 0 }),
  };
}

function known(
  where: string,
  algorithm: CompressionAlgorithm,
  mistakes: Mistakes,
): CompressionAlgorithm {
  return mistakes.choice(where, algorithm, ['gzip', 'deflate']);
}
