import { type Duration, parseDuration } from '@apix/contracts';
import {
  type Option,
  type OptionTable,
  parsedOption,
  readOptions,
  wholeNumber,
} from '@apix/contracts/internal';
import type { BufferBounds } from '../event/event-buffer.js';
import { LEVEL } from '../levels/level-option.js';
import { Level, type LevelInput } from '../levels/level.js';

/** Which events below the level are kept until it is known how their work ends. */
export interface BufferOptions {
  /** The lowest level that is kept. Default: debug. */
  readonly level?: LevelInput | undefined;
  /** How many events of one piece of work are kept, the last ones. Default: 200. */
  readonly events?: number | undefined;
  /** How many bytes they may take together, estimated from above. Default: 65,536. */
  readonly bytes?: number | undefined;
  /**
   * Work that takes longer has its events written too, except streams, whose length is up to their callers.
   * Default: only work that fails.
   */
  readonly slow?: Duration | undefined;
}

/** The same, with every default. */
export interface BufferSettings extends BufferBounds {
  readonly level: Level;
  /** Milliseconds; undefined if only work that fails has its events written. */
  readonly slow: number | undefined;
}

const MAX_EVENTS = 100_000;
const MAX_BYTES = 2 ** 30;

const BUFFER_OPTIONS = {
  level: LEVEL,
  events: wholeNumber({ min: 1, max: MAX_EVENTS }),
  bytes: wholeNumber({ min: 1, max: MAX_BYTES }),
  slow: parsedOption((value) => parseDuration(value as Duration)),
} satisfies OptionTable<BufferOptions>;

/** The option `bufferOnFailure`: true, false, or an object. Undefined: nothing is kept. */
export const BUFFER: Option<BufferSettings | false> = {
  schema: {
    anyOf: [
      { type: 'boolean' },
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          level: LEVEL.schema,
          events: { type: 'integer', minimum: 1, maximum: MAX_EVENTS },
          bytes: { type: 'integer', minimum: 1, maximum: MAX_BYTES },
          slow: { type: ['string', 'number'] },
        },
      },
    ],
  },
  read(value, at, mistakes) {
    if (value === false) return false;
    const read = readOptions(BUFFER_OPTIONS, value === true ? {} : value, at, mistakes);
    const { level = Level.Debug, events = 200, bytes = 65_536, slow } = read;
    return { level, events, bytes, slow };
  },
};
