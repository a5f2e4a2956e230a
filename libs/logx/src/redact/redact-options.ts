import type { FieldValue } from '../value/field-value.js';

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
