import { choice, type Option } from '@apix/contracts/internal';
import { PROBE_LOGS, type ProbeLog } from './request-level.js';

/** The option for logging probes, of an entry point, the module and a document. */
export const PROBES: Option<ProbeLog> = choice(PROBE_LOGS);
