/** The default shutdown timeout: 30 s. */
export const DEFAULT_SHUTDOWN_TIMEOUT = 30_000;

/** How long a reload hook may take with the reload timeout unset: 30 s. */
export const DEFAULT_RELOAD_TIMEOUT = 30_000;
