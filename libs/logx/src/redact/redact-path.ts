import { shownValue } from '@apix/contracts';
import { fieldName } from '../event/reserved.js';

/** A step of a path that matches any number of members, including none. */
export const ANY_DEPTH: unique symbol = Symbol('any depth');

/** A step of a path: the name of a member, null for every member, or any number of them. */
export type RedactStep = string | null | typeof ANY_DEPTH;

const STEP = /(?:(^|\.)([^.[\]'"`]+)|\[(?:(\d+|\*)|"([^"]*)"|'([^']*)'|`([^`]*)`)\])/y;

/**
 * Parses a path in the syntax of pino: `password`, `user.password`, `*.password`, `users[*].name`,
 * `headers["x-api-key"]`; and `**.password`, which is a `password` at any depth.
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
    steps.push(stepOf(step, plain !== undefined, steps.length === 0));
    at = STEP.lastIndex;
  }
  if (steps.length === 0) throw new RangeError('logx: a redact path must not be empty');
  if (steps.at(-1) === ANY_DEPTH) {
    throw new RangeError(
      `logx: the redact path ${shownValue(path)} must end in what is hidden; use a path such as ` +
        '**.password, or * for everything',
    );
  }
  return steps;
}

function stepOf(text: string, isPlain: boolean, isFirst: boolean): RedactStep {
  if (isPlain && text === '*') return null;
  if (isPlain && text === '**') return ANY_DEPTH;
  return isFirst ? fieldName(text) : text;
}
