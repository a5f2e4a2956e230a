import { choice, type Option } from '@apix/contracts/internal';
import type { Level, LevelInput } from '../levels/level.js';

/** The level of the event of a request; `off` means no event. */
export type RequestLevel = LevelInput | 'off';

/** The same, read. */
export type ReadRequestLevel = Level | 'off';

/** How probes are logged: see `probes` of the options of the entry points. */
export type ProbeLog = 'all' | 'debug' | 'off';

const PROBE_LOGS: readonly ProbeLog[] = ['all', 'debug', 'off'];

/** The option for logging probes, of an entry point, the module and a document. */
export const PROBES: Option<ProbeLog> = choice(PROBE_LOGS);
