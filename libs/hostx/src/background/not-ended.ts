import { HostError } from '../errors.js';
import type { WorkUnit } from './followed-work.js';

/** How many of the runs that have not ended are named. */
const MAX_NAMED = 10;

/** The error about runs that the deadline has cut off; null if there are none. */
export function notEnded(units: readonly WorkUnit[]): HostError | null {
  if (units.length === 0) return null;
  const more = units.length > MAX_NAMED ? ` and ${units.length - MAX_NAMED} more` : '';
  const names = units.slice(0, MAX_NAMED).map(({ label }) => label);
  return new HostError(`hostx: not finished in time: ${names.join(', ')}${more}`);
}
