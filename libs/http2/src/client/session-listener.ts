/** The events of a session. */
export interface SessionListener {
  /** The other end has sent its settings. */
  onReady(): void;
  /** The other end takes no further streams. */
  onGoaway(code: number, data: Buffer): void;
  /** Once; nothing follows. */
  onClosed(): void;
}
