/** Descriptor sources that cannot be used. Lists every mistake found, not only the first. */
export class DescriptorError extends Error {
  override readonly name = 'DescriptorError';
  /** One sentence for each mistake. */
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[], options?: ErrorOptions) {
    super(
      mistakes.length === 1
        ? `proto: ${mistakes[0]}`
        : `proto: ${mistakes.length} mistakes in the descriptor sources:\n` +
            mistakes.map((mistake) => `  - ${mistake}`).join('\n'),
      options,
    );
    this.mistakes = mistakes;
  }
}
