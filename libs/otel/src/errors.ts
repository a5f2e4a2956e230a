import { type Mistakes } from '@apix/contracts';
import {
  type AnyTable,
  checkedOptions,
  type ReadOptions,
  mistakesText,
} from '@apix/contracts/internal';

/** The reason why tracing cannot be set up. */
export class TracingSetupError extends Error {
  override readonly name = 'TracingSetupError';
}

/** Wrong options of this package. */
export class OtelError extends Error {
  override readonly name = 'OtelError';

  constructor(
    /** Each as `option: what is wrong`. */
    readonly mistakes: readonly string[],
  ) {
    super(mistakesText('otel', mistakes));
  }
}

/**
 * Reads options by their table.
 *
 * @param check finds mistakes between options. Default: none.
 * @throws OtelError with every wrong one.
 */
export function otelOptions<T extends AnyTable>(
  table: T,
  options: unknown,
  check?: (read: ReadOptions<T>, mistakes: Mistakes) => void,
): ReadOptions<T> {
  return checkedOptions(table, options, (found) => new OtelError(found), check);
}
