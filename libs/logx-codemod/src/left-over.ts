/** A place that the codemod does not convert, or not completely. */
export interface LeftOver {
  /** Its start, in UTF-16 units of the file's text. */
  readonly position: number;
  /** The finding, such as `PinoLogger in extends`. */
  readonly what: string;
  /** What to do about it. */
  readonly remedy: string;
  /** The related row of the migration page; undefined if there is none. */
  readonly row?: string | undefined;
}
