/** One thing that is wrong in a configuration document. */
export interface ConfigMistake {
  /** Where: `sinks[1].rotation.every`; empty for the document itself. */
  readonly path: string;
  readonly message: string;
}

/** A configuration document with everything that is wrong in it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(
    readonly mistakes: readonly ConfigMistake[],
    /** The file it was read from, if it was one. */
    readonly source?: string,
    options?: ErrorOptions,
  ) {
    const lines = mistakes.map(({ path, message }) => `  ${path ? `${path}: ` : ''}${message}`);
    super(
      `logx: the configuration${source === undefined ? '' : ` in ${source}`} has ` +
        `${mistakes.length} ${mistakes.length === 1 ? 'mistake' : 'mistakes'}:\n${lines.join('\n')}`,
      options,
    );
  }
}
