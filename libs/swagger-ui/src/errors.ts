/** Options of the docs page that cannot be used, with everything that is wrong with them. */
export class SwaggerUiOptionsError extends Error {
  override readonly name = 'SwaggerUiOptionsError';

  /** @param mistakes each as `option: what is wrong`. */
  constructor(readonly mistakes: readonly string[]) {
    // The form of `mistakesText` in @apix/contracts, which this package does not depend on.
    const [only = ''] = mistakes;
    const list = mistakes.map((mistake) => `\n  ${mistake}`).join('');
    super(`swagger-ui: ${mistakes.length === 1 ? only : `${mistakes.length} mistakes:${list}`}`);
  }
}
