import { mistakesText } from '@apix/contracts';

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
