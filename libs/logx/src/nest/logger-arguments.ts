/** A call of Nest's LoggerService, taken apart. */
export interface LoggerArguments {
  /** The class or feature that logs, Nest's last argument. */
  readonly context?: string;
  /** Only from `error` and `fatal`. */
  readonly stack?: string;
  /** The rest: values for a template, or further messages. */
  readonly rest: readonly unknown[];
}

const NONE: readonly unknown[] = [];

/**
 * Splits the arguments after the message of `log`, `warn`, `debug` and `verbose`: a string in the last
 * place is the context, as in Nest's ConsoleLogger.
 */
export function splitArguments(params: readonly unknown[]): LoggerArguments {
  const last = params.at(-1);
  if (typeof last !== 'string') return { rest: params };
  return { context: last, rest: params.length === 1 ? NONE : params.slice(0, -1) };
}

/**
 * Splits the arguments after the message of `error` and `fatal`: `(stack?, context?)` at the end, where
 * Nest's Logger passes an undefined stack along with a context.
 */
export function splitErrorArguments(params: readonly unknown[]): LoggerArguments {
  if (params.length === 1 && isStack(params[0])) return { stack: params[0], rest: [] };
  const { context, rest } = splitArguments(params);
  const stack = rest.at(-1);
  if (isStack(stack))
    return { ...(context === undefined ? {} : { context }), stack, rest: rest.slice(0, -1) };
  const trailing = rest.length > 0 && stack === undefined ? rest.slice(0, -1) : rest;
  return context === undefined ? { rest: trailing } : { context, rest: trailing };
}

function isStack(value: unknown): value is string {
  return typeof value === 'string' && /^(?:.*)\n\s+at .+/.test(value);
}
