import { Code } from '@apix/contracts';
import type { Option } from '@apix/contracts/internal';
import { Level } from '../levels/level.js';
import type { LoggedOutcome } from './level-rules.js';
import { type ChooseLevel, levelTable } from './level-table.js';

/** The name of a code of gRPC, such as `NOT_FOUND`. */
export type CodeName = keyof typeof Code;

/** The option `levels` of outcomes that have a code. */
export function codeLevels<O extends LoggedOutcome & { readonly code: CodeName }>(): Option<
  ChooseLevel<O>
> {
  return levelTable<O>({
    wanted: 'a code of gRPC, such as NOT_FOUND',
    isKey: (key) => /^\D/.test(key) && Object.hasOwn(Code, key),
    keysOf: ({ code }) => [code],
  });
}

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
