import { mistakesText } from '@apix/contracts/internal';

/** Options of the docs page that cannot be used, with everything that is wrong with them. */
export class SwaggerUiOptionsError extends Error {
  override readonly name = 'SwaggerUiOptionsError';

  /** @param mistakes each as `option: what is wrong`. */
  constructor(readonly mistakes: readonly string[]) {
    super(mistakesText('swagger-ui', mistakes));
  }
}
