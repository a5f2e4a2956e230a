/** How often streams send something. */
export const TICK_MS = 20;

/** How long a slow answer takes. */
export const SLOW_MS = 50;
