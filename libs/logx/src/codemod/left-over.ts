/** A place that the codemod does not take over, or not wholly. */
export interface LeftOver {
  /** Where it begins, in UTF-16 units of the file's text. */
  readonly position: number;
  /** What was found, such as `PinoLogger in extends`. */
  readonly what: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The row of the migration page that has to do with it; undefined where there is none. */
  readonly row?: string | undefined;
}
