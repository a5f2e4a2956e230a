import { ask } from '../knock.js';
import type { Attack } from '../row.js';

const DEEP = `${'child.'.repeat(150)}text=1`;

/** A parameter that names a field 150 messages down. */
export const deepQuery: Attack = (site, door) => ask(site, door, { path: `/api/v1/porch?${DEEP}` });

export const deepAnonymousQuery: Attack = (site, door) =>
  ask(site, door, { path: `/api/v1/vault/a?${DEEP}` });
