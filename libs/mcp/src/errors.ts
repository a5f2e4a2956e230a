import { mistakesText } from '@apix/contracts/internal';

/** Thrown when tools or options cannot work; lists all mistakes. */
export class McpConfigError extends Error {
  override readonly name = 'McpConfigError';

  constructor(
    /** Every mistake, each naming its method or option. */
    readonly mistakes: readonly string[],
    options?: ErrorOptions,
  ) {
    super(mistakesText('mcp', mistakes), options);
  }
}
