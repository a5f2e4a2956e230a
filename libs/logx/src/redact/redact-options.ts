import { shownValue } from '@apix/contracts';
import { FLAG, isRecord, type Option, option, parsedOption } from '../options/option.js';
import { type OptionTable, section } from '../options/option-table.js';
import type { FieldValue } from '../value/field-value.js';
import { parseRedactPath } from './redact-path.js';

/** What stands in the place of a redacted value: a text, or what a function makes of it. */
export type Censor = string | ((value: FieldValue, path: string[]) => unknown);

/** Which parts of fields are hidden, in the shape of pino's option. */
export interface RedactOptions {
  /**
   * Such as `password`, `user.password`, `*.password`, `users[*].name`, `headers["x-api-key"]`. A
   * path of two names also hides a field whose name has the dot in it. The message shows the
   * same as the field.
   */
  readonly paths: readonly string[];
  /** A function that throws counts as the default; undefined removes. Default: `'[Redacted]'`. */
  readonly censor?: Censor | undefined;
  /** Leaves out the member altogether. Default: false. */
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
  censor: option<Censor>('a string or a function', (value) =>
    ['string', 'function'].includes(typeof value),
  ),
  remove: FLAG,
} satisfies OptionTable<RedactOptions>);

/** Paths alone, or paths and what becomes of what they find. */
export const REDACT: Option<RedactOptions> = {
  schema: PATHS.schema,
  read(value, at, mistakes) {
    if (!isRecord(value)) return { paths: PATHS.read(value, at, mistakes) ?? [] };
    if (value['paths'] === undefined) mistakes.add(`${at}.paths`, 'is required');
    const { paths = [], censor, remove } = DETAILS.read(value, at, mistakes) ?? {};
    return { paths, censor, remove };
  },
};
