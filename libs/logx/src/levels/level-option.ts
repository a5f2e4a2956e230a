import { type Option, parsedOption } from '@apix/contracts/internal';
import { LEVEL_NAMES, type Level, type LevelInput, LEVELS, toLevel } from './level.js';

/** A text that is one of the names, in any case. */
export function anyCase(...names: readonly string[]): object {
  const letter = (char: string): string => `[${char.toUpperCase()}${char}]`;
  const patterns = names.map((name) => name.replaceAll(/[a-z]/g, letter));
  return { type: 'string', pattern: `^(?:${patterns.join('|')})$` };
}

/** A level by value, or by one of its names in any case. */
export const LEVEL: Option<Level> = parsedOption((value) => toLevel(value as LevelInput), {
  anyOf: [anyCase(...LEVEL_NAMES), { enum: LEVELS }],
});
