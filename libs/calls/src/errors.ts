import { mistakesText } from '@apix/contracts/internal';

/** Call stages that cannot form a chain: a cycle, a name given twice, a stage in a wrong place. */
export class StageOrderError extends Error {
  override readonly name = 'StageOrderError';

  constructor(readonly mistakes: readonly string[]) {
    super(mistakesText('calls', mistakes));
  }
}
