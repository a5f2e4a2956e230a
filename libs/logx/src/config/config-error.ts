import { mistakesText } from '@apix/contracts';

/** A configuration document with everything that is wrong in it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    /** Each as `path: what is wrong`, such as `sinks[1].rotation.every: must be …`. */
    readonly mistakes: readonly string[],
    /** The file it was read from, if it was one. */
    readonly source?: string,
    options?: ErrorOptions,
  ) {
    const subject = `logx: configuration${source === undefined ? '' : ` ${source}`}`;
    super(mistakesText(subject, mistakes), options);
  }
}
