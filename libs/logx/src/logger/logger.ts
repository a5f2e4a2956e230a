import type { Deadline } from '@apix/contracts';
import type { Logger as PinoLogger } from 'pino';
import type { Boundary } from '../event/caller.js';
import type { EventKind } from '../event/event.js';
import type { Level, LevelInput } from '../levels/level.js';
import type { Levels } from '../levels/level-tree.js';

/** An event in one piece, for code that logs on behalf of others. */
export interface LogRequest {
  readonly level: Level;
  /** A message template. */
  readonly template?: string | undefined;
  /**
   * A text to be logged unchanged, instead of a template; braces in it have no meaning. Of any other value it is
   * the text that an argument has in the message. Default: without a template, that of the error.
   */
  readonly text?: unknown;
  /** The values of the template's holes, and what may follow them in a call. */
  readonly args?: readonly unknown[] | undefined;
  /**
   * More fields; `undefined` ones are left out, and a field with the name of a hole is replaced by the
   * hole's.
   */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Becomes `error`, and with the stack-trace option `stack`. */
  readonly error?: unknown;
  /**
   * The function whose caller is the event's `caller`; if several are given, the first that is being
   * called. Default: `write` itself.
   */
  readonly boundary?: Boundary | readonly Boundary[] | undefined;
  /**
   * Marks the own event of an HTTP request or a gRPC call, for formats that have fields for it; set
   * `fields` too. Default: neither.
   */
  readonly kind?: EventKind | undefined;
  /** Whether the sinks are then flushed and the process exits with code 1. Default: false. */
  readonly exits?: boolean | undefined;
}

/** Logs an event at its level; each of these forms is accepted. */
export interface LogMethod {
  /** A template and the values of its holes. */
  (template: string, ...args: readonly unknown[]): void;
  /** An error (null or undefined: none) and a template. */
  (error: unknown, template: string, ...args: readonly unknown[]): void;
  /**
   * An error, whose message is then the text, or an object of fields, as in pino: its member `err`, or
   * `error` if that is an Error, is the error.
   */
  (errorOrFields: unknown): void;
}

/** The methods of a logger that log at a level. */
export type LevelMethod =
  'verbose' | 'debug' | 'information' | 'info' | 'log' | 'warning' | 'warn' | 'error' | 'fatal';

/**
 * Logs structured events. It is immutable, and never throws: neither because of a logged value nor because
 * of a sink.
 *
 * Arguments fill the template's holes in order, `log.information('Hello {Name}', 'Ada')`; surplus ones
 * become the fields `extra_0`, `extra_1` and so on. An error comes first,
 * `log.warning(error, 'Order {Id} is late', id)`, and so does an object of fields:
 * `log.information({ tenant }, 'Order {Id} placed', id)`.
 */
export interface Logger {
  readonly verbose: LogMethod;
  readonly debug: LogMethod;
  readonly information: LogMethod;
  /** The same as `information`. */
  readonly info: LogMethod;
  /** The same as `information`, as Nest has it. */
  readonly log: LogMethod;
  readonly warning: LogMethod;
  /** The same as `warning`. */
  readonly warn: LogMethod;
  /**
   * May be called with an error. Of two texts the second is the template, `error('disk full', 'Saving
   * failed')`, unless the others fill exactly the holes of the first: `error('Order {Id} failed', 'o-17')`.
   * If the template is first, an Error that no hole takes is the event's error.
   */
  readonly error: LogMethod;
  /**
   * Like `error`; then flushes the sinks and exits the process with code 1. It returns only if there are
   * sinks that cannot be flushed synchronously, which get up to five seconds for it.
   */
  readonly fatal: LogMethod;
  /** An event of any level in one piece; exits at the fatal level only if asked to. */
  write(request: LogRequest): void;

  /** A child that adds a field to each event. */
  forContext(name: string, value: unknown): Logger;
  /** A child that adds several fields; `undefined` ones are left out. */
  forContextValues(values: Readonly<Record<string, unknown>>): Logger;
  /** The same as `forContext('service', service)`; its level can be set by that name. */
  named(service: string): Logger;
  /** A child with its own minimum level. */
  withLevel(level: LevelInput): Logger;
  /** A child that captures stacks, or does not. */
  withStackTrace(on: boolean): Logger;
  /** Whether an event of this level would reach a sink, apart from sampling. */
  enabled(level: Level): boolean;

  /** The logger that `createLogger` returned, which alone can be closed. */
  readonly root: Logger;

  /** The levels of this logger and all its kin. */
  readonly levels: Levels;

  /**
   * A pino logger whose lines are events of this one, for code that needs a pino logger: with its fields,
   * levels and sinks. `err` of pino becomes the event's error. Its events have no `caller`, and it does not
   * exit on fatal.
   */
  readonly pino: PinoLogger;

  /** Resolves when the events logged so far have been written, or when the deadline has passed. */
  flush(deadline?: Deadline): Promise<void>;
  /**
   * Flushes and closes the sinks; later events are dropped. Only the logger that `createLogger` returned
   * can be closed, which is `root` of all others.
   *
   * @throws Error on any other logger, and if a sink cannot be closed or loses lines.
   */
  close(deadline?: Deadline): Promise<void>;
}
