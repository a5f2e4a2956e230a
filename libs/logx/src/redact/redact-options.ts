import { shownValue } from '@apix/contracts';
import {
  FLAG,
  isRecord,
  option,
  type Option,
  type OptionTable,
  parsedOption,
  section,
} from '@apix/contracts/internal';
import type { FieldValue } from '../value/field-value.js';
import { parseRedactPath } from './redact-path.js';

/** The replacement of a redacted value: a text, or the result of a function. */
export type Censor = string | ((value: FieldValue, path: string[]) => unknown);

/** Which parts of fields are hidden: the options of pino's `redact`, and more. */
export interface RedactOptions {
  /**
   * Such as `password`, `user.password`, `*.password`, `**.password` (at any depth), `users[*].name`,
   * `headers["x-api-key"]`. A path of two names also hides a field whose name contains the dot. The message
   * shows the same as the field. Default: none.
   */
  readonly paths?: readonly string[] | undefined;
  /**
   * Names of members that are hidden at any depth, in any case and with `-` and `_` left out, such
   * as `authorization` and `apiKey`. Default: none.
   */
  readonly names?: readonly string[] | undefined;
  /**
   * Hides passwords in connection strings, `postgres://shop:…@db` and `Server=db;Password=…`, everywhere:
   * in fields, templates, messages, errors and stacks. Default: false.
   */
  readonly connectionStrings?: boolean | undefined;
  /** Hides what `SAFE_REDACTION` hides, in addition to the other parts. Default: false. */
  readonly safe?: boolean | undefined;
  /** If a function throws, the default is used; if it returns undefined, the value is removed. Default: `'[Redacted]'`. */
  readonly censor?: Censor | undefined;
  /** Removes the member. Default: false. */
  readonly remove?: boolean | undefined;
}

const PATHS: Option<readonly string[]> = {
  schema: { type: 'array', items: { type: 'string', minLength: 1 } },
  read(value, at, mistakes) {
    if (!Array.isArray(value)) {
      mistakes.add(at, `must be an array of paths, not ${shownValue(value)}`);
      return undefined;
    }
    const paths = value as readonly unknown[];
    return paths.map((path, i) => PATH.read(path, `${at}[${i}]`, mistakes) ?? '');
  },
};

const PATH: Option<string> = parsedOption((path) => {
  if (typeof path !== 'string') throw new TypeError(`must be a path, not ${shownValue(path)}`);
  parseRedactPath(path);
  return path;
});

const DETAILS = section({
  paths: PATHS,
  names: option<readonly string[]>(
    'an array of names',
    (value) =>
      Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== ''),
    PATHS.schema,
  ),
  safe: FLAG,
  connectionStrings: FLAG,
  censor: option<Censor>(
    'a string or a function',
    (value) => ['string', 'function'].includes(typeof value),
    { type: 'string' },
  ),
  remove: FLAG,
} satisfies OptionTable<RedactOptions>);

const HIDING = ['safe', 'paths', 'names', 'connectionStrings'];

/** Only paths, or the hidden values with their replacement. */
export const REDACT: Option<RedactOptions> = {
  schema: { anyOf: [PATHS.schema, DETAILS.schema] },
  read(value, at, mistakes) {
    if (!isRecord(value)) return { paths: PATHS.read(value, at, mistakes) ?? [] };
    if (HIDING.every((name) => value[name] === undefined)) {
      mistakes.add(at, 'must have safe, paths, names or connectionStrings');
    }
    return DETAILS.read(value, at, mistakes) ?? {};
  },
};
