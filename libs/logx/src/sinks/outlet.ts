/**
 * The destination of the bytes of a {@link LineWriter}: a file, a pipe, a terminal. Every method throws the
 * system's error, with its `code`, and may be called again afterwards.
 */
export interface Outlet {
  /** Names the outlet in errors, such as `stdout` or `file logs/app.json`. */
  readonly name: string;
  /**
   * Prepares for writing. True when the bytes written last are not reachable any more, for example because
   * the file was deleted, so that a line that is only partly written has to be written again.
   *
   * @param bytes how many are to be written
   */
  prepare?(bytes: number): boolean;
  /** Writes some of the bytes and returns how many. */
  write(bytes: Buffer, offset: number, length: number): number;
  /** The same on another thread. Absent if bytes could then arrive out of order. */
  writeInBackground?(
    bytes: Buffer,
    offset: number,
    length: number,
    done: (error: Error | null, written: number) => void,
  ): void;
  /** Blocks until the write in the background has ended; returns how many bytes it wrote. */
  settleBackground?(): number;
  /** Whether an error is permanent. Absent if any error may be temporary. */
  isGone?(error: unknown): boolean;
  /** Called once for each line, in order: whether the line starts a new file. */
  startsFile?(lineBytes: number): boolean;
  /** Starts the new file. Called when all lines before it are written. */
  renew?(): void;
  /** Releases the resources of the outlet; resolves when its work in the background is done. */
  close(): void | Promise<void>;
}
