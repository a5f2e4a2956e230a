import { mistakesText } from '@apix/contracts';

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
