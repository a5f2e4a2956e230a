import type { FieldValue } from '../value/field-value.js';

/** What stands in the place of a redacted value: a text, or what a function makes of it. */
export type Censor = string | ((value: FieldValue, path: string[]) => unknown);

/** Which parts of fields are hidden, in the shape of pino's option and with more than it has. */
export interface RedactOptions {
  /**
   * Such as `password`, `user.password`, `*.password`, `**.password` (at any depth),
   * `users[*].name`, `headers["x-api-key"]`. A path of two names also hides a field whose name has the
   * dot in it. The message shows the same as the field. Default: none.
   */
  readonly paths?: readonly string[] | undefined;
  /**
   * Names of members that are hidden at any depth, in any case and with `-` and `_` left out, such
   * as `authorization` and `apiKey`. Default: none.
   */
  readonly names?: readonly string[] | undefined;
  /**
   * Hides passwords in connection strings, `postgres://shop:…@db` and `Server=db;Password=…`, in all
   * that is logged: texts of fields, templates and messages, errors and stacks. Default: false.
   */
  readonly connectionStrings?: boolean | undefined;
  /** A function that throws counts as the default; undefined removes. Default: `'[Redacted]'`. */
  readonly censor?: Censor | undefined;
  /** Leaves out the member altogether. Default: false. */
  readonly remove?: boolean | undefined;
}
