import { Code } from '@apix/contracts';
import { Level } from '../levels/level.js';

const WARNINGS: ReadonlySet<Code> = new Set([
  Code.INVALID_ARGUMENT,
  Code.NOT_FOUND,
  Code.PERMISSION_DENIED,
  Code.UNAUTHENTICATED,
  Code.CANCELLED,
  Code.ALREADY_EXISTS,
  Code.FAILED_PRECONDITION,
  Code.OUT_OF_RANGE,
  Code.RESOURCE_EXHAUSTED,
]);

/** Information for OK, Warning for codes that the caller can avoid, Error for every other code. */
export function levelOfCode(code: Code): Level {
  if (code === Code.OK) return Level.Information;
  return WARNINGS.has(code) ? Level.Warning : Level.Error;
}
