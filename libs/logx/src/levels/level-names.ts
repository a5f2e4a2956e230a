import { shownValue } from '@apix/contracts';
import { isRecord, type Option, optionPath } from '@apix/contracts/internal';
import type { Level } from './level.js';
import { LEVEL } from './level-option.js';
import { loggerNameProblem } from './named-levels.js';

const PLAIN = /^[\w$-]+$/;

/** Levels by the names of loggers; null means none. */
export const LEVELS_BY_NAME: Option<Readonly<Record<string, Level>>> = {
  schema: {
    type: 'object',
    propertyNames: { pattern: '^[^.*]([^*]*[^.*])?$' },
    additionalProperties: { anyOf: [LEVEL.schema, { type: 'null' }] },
  },
  read(value, at, mistakes) {
    if (!isRecord(value)) {
      mistakes.add(at, `must be an object of levels by name, not ${shownValue(value)}`);
      return undefined;
    }
    const entries = Object.entries(value).flatMap(([name, level]): [string, Level][] => {
      const path = PLAIN.test(name) ? optionPath(at, name) : `${at}[${JSON.stringify(name)}]`;
      const problem = loggerNameProblem(name);
      if (problem !== null) mistakes.add(path, problem);
      const read =
        level === undefined || level === null ? undefined : LEVEL.read(level, path, mistakes);
      return read === undefined ? [] : [[name, read]];
    });
    return Object.fromEntries(entries);
  },
};
