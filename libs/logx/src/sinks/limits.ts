/** Bytes that wait in memory at most while an outlet takes none. */
export const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** How long a full buffer blocks the caller for an outlet that takes nothing at all. */
export const MAX_BLOCK_MS = 1_000;
/** How long the exit of the process waits for an outlet that takes nothing at all. */
export const MAX_EXIT_WAIT_MS = 5_000;
/** What `flush` and `close` wait when they are given no deadline. */
export const DEFAULT_FLUSH_MS = 10_000;
