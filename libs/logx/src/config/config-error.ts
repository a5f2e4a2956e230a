import { mistakesText } from '@apix/contracts/internal';

/** Thrown for a wrong configuration document; lists every mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    /** Each as `path: what is wrong`, such as `sinks[1].rotation.every: must be …`. */
    readonly mistakes: readonly string[],
    /** The file that it was read from, if any. */
    readonly source?: string,
    options?: ErrorOptions,
  ) {
    const subject = `logx: configuration${source === undefined ? '' : ` ${source}`}`;
    super(mistakesText(subject, mistakes), options);
  }
}
