import { shownValue, thrownText } from '@apix/contracts';
import type { HostLogger } from './host-logger.js';
import { stackWithCauses } from './stack-with-causes.js';
import { type Rendered, render } from './template.js';

/** The part of a Nest LoggerService that the host writes to. */
export interface NestLoggerLike {
  log(message: unknown, ...optional: unknown[]): unknown;
  warn(message: unknown, ...optional: unknown[]): unknown;
  error(message: unknown, ...optional: unknown[]): unknown;
}

/** The part of a pino logger that the host writes to. */
export interface PinoLike {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The part of a console that the host writes to. */
export interface ConsoleLike {
  info(...data: unknown[]): void;
  warn(...data: unknown[]): void;
  error(...data: unknown[]): void;
}

type Level = 'information' | 'warning' | 'error';
type Write = (
  level: Level,
  rendered: Rendered,
  failure: { readonly error: unknown } | null,
) => void;

function adapter(write: Write): HostLogger {
  return {
    information: (template, ...args) => write('information', render(template, args), null),
    warning: (template, ...args) => write('warning', render(template, args), null),
    error: (error, template, ...args) => write('error', render(template, args), { error }),
  };
}

function present<T extends object>(logger: T | null | undefined, which: string): T {
  if (logger === null || logger === undefined) {
    throw new TypeError(
      `hostx: the ${which} logger must be a logger, not ${shownValue(logger)}; set none for a silent host`,
    );
  }
  return logger;
}

/**
 * Writes to a Nest LoggerService under a context. Nest takes no fields, so the placeholders are
 * in the message only; the stacks of an error and of its causes go where Nest expects a stack.
 *
 * @throws TypeError without a logger.
 */
export function nestLogger(logger: NestLoggerLike, context = 'Host'): HostLogger {
  const target = present(logger, 'Nest');
  return adapter((level, { message }, failure) => {
    if (failure === null) {
      if (level === 'warning') target.warn(message, context);
      else target.log(message, context);
      return;
    }
    const { error } = failure;
    target.error(`${message}: ${thrownText(error)}`, stackWithCauses(error), context);
  });
}

/**
 * Writes to a pino logger: each matched placeholder is a field, an error is `err`.
 *
 * @throws TypeError without a logger.
 */
export function pinoLogger(logger: PinoLike): HostLogger {
  const target = present(logger, 'pino');
  return adapter((level, { message, attributes }, failure) => {
    if (failure !== null) target.error({ ...attributes, err: failure.error }, message);
    else if (level === 'warning') target.warn(attributes, message);
    else target.info(attributes, message);
  });
}

/**
 * Writes to a console: the message, then the fields where there are any, then the error.
 *
 * @throws TypeError without a console.
 */
export function consoleLogger(target: ConsoleLike = console): HostLogger {
  const out = present(target, 'console');
  return adapter((level, { message, attributes }, failure) => {
    const data: unknown[] = [`hostx: ${message}`];
    if (Object.keys(attributes).length > 0) data.push(attributes);
    if (failure !== null) out.error(...data, failure.error);
    else if (level === 'warning') out.warn(...data);
    else out.info(...data);
  });
}
