import type { Level, LevelInput } from '../levels/level.js';

/** The level of the event of a request; `off` means no event. */
export type RequestLevel = LevelInput | 'off';

/** The same, read. */
export type ReadRequestLevel = Level | 'off';

/** How probes are logged: see `probes` of the options of the entry points. */
export type ProbeLog = 'all' | 'debug' | 'off';

export const PROBE_LOGS: readonly ProbeLog[] = ['all', 'debug', 'off'];
