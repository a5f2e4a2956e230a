/** How messages reach a server, as far as the host can end that. */
export interface Intake {
  /** Resolves once no new message reaches a handler, or immediately if that cannot be achieved. */
  stop(): Promise<unknown>;
  /** Resolves once the answers that were written have left. */
  flush(): Promise<unknown>;
}
