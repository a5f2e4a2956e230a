/** Offered by logx; closed by hostx after the stopped hooks. */
export const CLOSE_LAST = Symbol.for('apix.CloseLast');

export interface CloseLast {
  readonly [CLOSE_LAST]: true;
  /** Flushes and releases; nothing of the app runs after it. */
  closeLast(): void | Promise<void>;
}
