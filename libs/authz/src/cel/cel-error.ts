/**
 * An error of an evaluation: a value like others, never thrown, that `&&`, `||` and the macros absorb where CEL says
 * so. An expression that ends with one is not true: it denies.
 */
export class CelError {
  constructor(
    /** What went wrong, for operators and logs: it may show values. */
    readonly message: string,
    /** What was thrown, where something was. */
    readonly cause?: unknown,
  ) {}
}

/** Whether a value is an error of an evaluation. */
export function isCelError(value: unknown): value is CelError {
  return value instanceof CelError;
}
