import { shownValue } from '@apix/contracts';
import type { Option } from '@apix/contracts/options';
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
  if (name === '' || FORMATS.some((each) => each === name.toLowerCase())) {
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
export const FORMAT: Option<Format | Encoder> = {
  schema: { anyOf: [{ enum: FORMATS }, { type: 'string', minLength: 1 }] },
  read(value, at, mistakes) {
    if (isEncoder(value)) return value;
    const known = typeof value === 'string' ? formatNamed(value) : undefined;
    if (known !== undefined) return known;
    const names = [...FORMATS, ...registered.keys()].map((name) => shownValue(name)).join(', ');
    mistakes.add(
      at,
      `must be one of ${names}, or a format given to registerFormat, not ${shownValue(value)}`,
    );
    return undefined;
  },
};

function formatNamed(name: string): Format | Encoder | undefined {
  return FORMATS.find((each) => each === name) ?? registered.get(name.toLowerCase());
}

function isEncoder(value: unknown): value is Encoder {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Encoder>).encode === 'function'
  );
}
