import { shownValue } from '@apix/contracts';
import { fieldName } from '../event/reserved.js';

/** A step of a path: the name of a member, or null for every member. */
export type RedactStep = string | null;

const STEP = /(?:(^|\.)([^.[\]'"`]+)|\[(?:(\d+|\*)|"([^"]*)"|'([^']*)'|`([^`]*)`)\])/y;

/**
 * Reads a path as pino writes them: `password`, `user.password`, `*.password`, `users[*].name`,
 * `headers["x-api-key"]`.
 *
 * @throws RangeError for anything else.
 */
export function parseRedactPath(path: string): readonly RedactStep[] {
  const steps: RedactStep[] = [];
  STEP.lastIndex = 0;
  let at = 0;
  while (at < path.length) {
    const match = STEP.exec(path);
    const [, dot, name] = match ?? [];
    const isMissingDot = name !== undefined && (dot === '.') !== at > 0;
    if (match === null || isMissingDot) {
      throw new RangeError(
        `logx: the redact path ${shownValue(path)} is not valid at position ${at}; ` +
          'use a path such as user.password, *.password, users[*].name or headers["x-api-key"]',
      );
    }
    const [, , , index, ...quoted] = match;
    const plain = name ?? index;
    const step = plain ?? quoted.find((text) => text !== undefined)!;
    steps.push(plain === '*' ? null : steps.length === 0 ? fieldName(step) : step);
    at = STEP.lastIndex;
  }
  if (steps.length === 0) throw new RangeError('logx: a redact path must not be empty');
  return steps;
}
