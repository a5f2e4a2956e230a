/** A call of Nest's LoggerService, taken apart. */
export interface LoggerArguments {
  /** The class or feature that logs, Nest's last argument. */
  readonly context: string | undefined;
  /** Only from `error` and `fatal`. */
  readonly stack: string | undefined;
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
  if (typeof last !== 'string') return { context: undefined, stack: undefined, rest: params };
  const rest = params.length === 1 ? NONE : params.slice(0, -1);
  return { context: last, stack: undefined, rest };
}

/**
 * Splits the arguments after the message of `error` and `fatal`: `(stack?, context?)` at the end, where
 * Nest's Logger passes an undefined stack along with a context.
 */
export function splitErrorArguments(params: readonly unknown[]): LoggerArguments {
  if (params.length === 1 && isStack(params[0])) {
    return { context: undefined, stack: params[0], rest: NONE };
  }
  const { context, rest } = splitArguments(params);
  const last = rest.at(-1);
  const stack = isStack(last) ? last : undefined;
  const hasStack = stack !== undefined || (rest.length > 0 && last === undefined);
  return { context, stack, rest: hasStack ? rest.slice(0, -1) : rest };
}

function isStack(value: unknown): value is string {
  return typeof value === 'string' && /^(?:.*)\n\s+at .+/.test(value);
}
