import { choice, type Option } from '../options/option.js';
import { PROBE_LOGS, type ProbeLog } from './request-level.js';

/** The option that says what probes leave in the log, of a door, the module and a document. */
export const PROBES: Option<ProbeLog> = choice(PROBE_LOGS);
