import { markClass } from '../brand.js';

/** Offered by logx; closed by hostx after the stopped hooks, and without a host at the end of `app.close()`. */
export const CLOSE_LAST = Symbol.for('apix.CloseLast');

export interface CloseLast {
  readonly [CLOSE_LAST]?: true;
  /** Flushes and releases; nothing of the app runs after it. */
  closeLast(): void | Promise<void>;
  /** Is called instead if no host closes the app. Default: `closeLast`. */
  closeWithApp?(): void | Promise<void>;
}

/** Marks a provider that is closed after everything else has stopped. The same as a property `[CLOSE_LAST] = true`. */
export function CloseLast(): ClassDecorator {
  return markClass(CLOSE_LAST);
}
