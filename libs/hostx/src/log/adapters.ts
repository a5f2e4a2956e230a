import { shownValue, thrownText } from '@apix/contracts';
import { isTemplateFirst, surplusArguments } from '@apix/contracts/internal';
import type { HostLogger } from './host-logger.js';
import { stackWithCauses } from './stack-with-causes.js';
import { holeCount, type Rendered, render, printableFields } from './template.js';

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
type Write = (level: Level, rendered: Rendered, failure: Thrown | null) => void;

interface Thrown {
  readonly error: unknown;
}

/** Finds the error and the fields of a call as the loggers of @apix/logx do. */
function adapter(write: Write): HostLogger {
  const log = (
    level: Level,
    template: string,
    args: readonly unknown[],
    failure: Thrown | null,
  ): void => {
    const { message, attributes } = render(template, args);
    const { error, fields } = surplusArguments(args.slice(holeCount(template)));
    const found = error === undefined ? null : { error };
    write(
      level,
      { message, attributes: { ...printableFields(fields), ...attributes } },
      failure ?? found,
    );
  };
  return {
    information: (template, ...args) => log('information', template, args, null),
    warning: (template, ...args) => log('warning', template, args, null),
    error: (error, template, ...args) => {
      const said = [template, ...args];
      if (typeof error === 'string' && isTemplateFirst(error, said, holeCount))
        log('error', error, said, null);
      else log('error', template, args, { error });
    },
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
    const text = failure === null ? message : `${message}: ${thrownText(failure.error)}`;
    if (level === 'warning') target.warn(text, context);
    else if (level === 'information') target.log(text, context);
    else target.error(text, failure === null ? undefined : stackWithCauses(failure.error), context);
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
    const fields = failure === null ? attributes : { ...attributes, err: failure.error };
    if (level === 'warning') target.warn(fields, message);
    else if (level === 'information') target.info(fields, message);
    else target.error(fields, message);
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
    if (failure !== null) data.push(failure.error);
    if (level === 'warning') out.warn(...data);
    else if (level === 'information') out.info(...data);
    else out.error(...data);
  });
}
