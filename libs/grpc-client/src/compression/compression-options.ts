import {
  choice,
  isRecord,
  type Option,
  option,
  type OptionTable,
  required,
  section,
  shaped,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';

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

const ALGORITHM = choice<CompressionAlgorithm>(['gzip', 'deflate']);

const COMPRESSION_OPTIONS = {
  algorithm: required(ALGORITHM, 'gzip'),
  minBytes: withDefault(wholeNumber({ min: 0 }), MIN_BYTES),
} satisfies OptionTable<CompressionOptions>;

const ALGORITHM_ONLY: Option<Required<CompressionOptions>> = {
  schema: ALGORITHM.schema,
  read(value, at, mistakes) {
    const algorithm = ALGORITHM.read(value, at, mistakes);
    return algorithm && { algorithm, minBytes: MIN_BYTES };
  },
};

const WHOLE = section(COMPRESSION_OPTIONS);
const NEITHER = option<never>('"gzip", "deflate" or an object with an algorithm', () => false);

/** The option `compression`. */
export const COMPRESSION = shaped<Required<CompressionOptions>>((value) => {
  if (typeof value === 'string') return ALGORITHM_ONLY;
  return isRecord(value) ? WHOLE : NEITHER;
});
