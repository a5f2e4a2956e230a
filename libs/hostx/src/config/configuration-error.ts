/** Every mistake of a configuration at once, each with where it stands; never a value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly mistakes: readonly string[]) {
    const count = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
    super(
      `hostx: the configuration has ${count}:\n${mistakes.map((one) => `  ${one}`).join('\n')}`,
    );
  }
}
