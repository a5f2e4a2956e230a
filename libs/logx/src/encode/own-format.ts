import { shownValue } from '@apix/contracts';
import type { Option } from '@apix/contracts/internal';
import type { FormatChoice } from '../sinks/auto-format.js';
import { type Format, FORMATS } from '../sinks/sink.js';
import type { Encoder } from './encoder.js';

const registered = new Map<string, Encoder>();

/**
 * Registers `name` as a `format` of sinks, in any letter case, in configuration documents and in code. Register
 * it before the document is read. A second registration of a name replaces the first; existing sinks do not
 * change.
 *
 * @throws RangeError for the names of the built-in formats, TypeError for an object without `encode`.
 */
export function registerFormat(name: string, encoder: Encoder): void {
  if (name === '' || [...FORMATS, 'auto'].includes(name.toLowerCase())) {
    throw new RangeError(
      `logx: cannot register the format ${shownValue(name)}: ` +
        (name === '' ? 'it must have a name' : 'it is built in'),
    );
  }
  if (!isEncoder(encoder)) {
    throw new TypeError(`logx: the format ${shownValue(name)} must have encode(event)`);
  }
  const { name: own = name } = encoder;
  registered.set(name.toLowerCase(), {
    name: own,
    encode: (event, context) => encoder.encode(event, context),
  });
}

/** The encodings of the lines of a sink. */
export const FORMAT: Option<Format | Encoder> = formatOption(FORMATS);

/** The same, or `auto`. */
export const FORMAT_CHOICE: Option<FormatChoice> = formatOption([...FORMATS, 'auto']);

function formatOption<Name extends string>(builtIn: readonly Name[]): Option<Name | Encoder> {
  return {
    schema: { anyOf: [{ enum: builtIn }, { type: 'string', minLength: 1 }] },
    read(value, at, mistakes) {
      if (isEncoder(value)) return value;
      if (typeof value === 'string') {
        const known = builtIn.find((each) => each === value) ?? registered.get(value.toLowerCase());
        if (known !== undefined) return known;
      }
      const names = [...builtIn, ...registered.keys()].map((name) => shownValue(name)).join(', ');
      mistakes.add(
        at,
        `must be one of ${names}, or a format given to registerFormat, not ${shownValue(value)}`,
      );
      return undefined;
    },
  };
}

function isEncoder(value: unknown): value is Encoder {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Encoder>).encode === 'function'
  );
}
