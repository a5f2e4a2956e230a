/** Maximum bytes that wait in memory while an outlet accepts none. */
export const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** How long a full buffer blocks the caller for an outlet that accepts no bytes. */
export const MAX_BLOCK_MS = 1_000;
/** How long the exit of the process waits for an outlet that accepts no bytes. */
export const MAX_EXIT_WAIT_MS = 5_000;
/** How long `flush` and `close` wait without a deadline. */
export const DEFAULT_FLUSH_MS = 10_000;
