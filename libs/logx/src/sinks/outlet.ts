/**
 * Where the bytes of a {@link LineWriter} go: a file, a pipe, a terminal. Every method throws
 * what the system said, with its `code`, and may be called again afterwards.
 */
export interface Outlet {
  /** Names the outlet in errors, such as `stdout` or `file logs/app.json`. */
  readonly name: string;
  /**
   * Makes ready for writing. True when what was written last is out of reach, say because the
   * file was deleted, so that a line which is half written has to be written again.
   */
  prepare?(): boolean;
  /** Writes some of the bytes and returns how many. */
  write(bytes: Buffer, offset: number, length: number): number;
  /** The same on another thread. Absent where bytes could then arrive out of order. */
  writeInBackground?(
    bytes: Buffer,
    offset: number,
    length: number,
    done: (error: Error | null, written: number) => void,
  ): void;
  /** Blocks until the write in the background has landed; returns how many bytes it wrote. */
  settleBackground?(): number;
  /** Whether a fault will not end by itself. Absent where any may. */
  isGone?(error: unknown): boolean;
  /** Asked once for each line, in order: whether a new file begins with it. */
  startsAnew?(lineBytes: number): boolean;
  /** Begins the new file. Called when all before that line is written. */
  renew?(): void;
  /** Releases what the outlet holds; resolves when its work in the background is done. */
  close(): void | Promise<void>;
}
