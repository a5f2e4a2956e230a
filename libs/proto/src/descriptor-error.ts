import { mistakesText } from '@apix/contracts';

/** Descriptor sources that cannot be used. Lists every mistake found, not only the first. */
export class DescriptorError extends Error {
  override readonly name = 'DescriptorError';

  constructor(
    /** One sentence for each mistake. */
    readonly mistakes: readonly string[],
    options?: ErrorOptions,
  ) {
    super(mistakesText('proto', mistakes), options);
  }
}
