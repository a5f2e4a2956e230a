import type { Row } from './row.js';
import { answers } from './rows/answers.js';
import { bodies } from './rows/bodies.js';
import { http2 } from './rows/http2.js';
import { identity } from './rows/identity.js';
import { pages } from './rows/pages.js';
import { tools } from './rows/tools.js';
import { wire } from './rows/wire.js';

// Why: docs/decisions/0195
/** Every attack, and what must come of it. */
export const rows: readonly Row[] = [
  ...identity,
  ...bodies,
  ...pages,
  ...answers,
  ...wire,
  ...http2,
  ...tools,
];
