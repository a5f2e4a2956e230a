/** For how long a service manager is asked to wait for a start without a boot timeout: 10 min. */
export const DEFAULT_START_LIMIT = 600_000;
