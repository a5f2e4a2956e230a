import { mistakesText } from '@apix/contracts';

/** Every mistake of a configuration at once, each with its place; never a value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly mistakes: readonly string[]) {
    super(mistakesText('hostx: configuration', mistakes));
  }
}
