import { Mistakes } from '@apix/contracts';
import type { EcsOptions } from '../encode/ecs-options.js';
import type { TimeFormat } from '../encode/time-format.js';
import type { Level } from '../levels/level.js';
import type { BufferOptions } from '../logger/buffer-options.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { DOCUMENT_OPTIONS } from '../logger/option-tables.js';
import type { ProbeLog } from '../request/request-level.js';
import { ConfigError } from './config-error.js';
import type { ConfigSettings } from './config-settings.js';
import { Fields } from './fields.js';
import { madeSink } from './made-sink.js';
import { SinkEntry } from './sink-entry.js';

/** A configuration document that has been read. */
export class Config implements ConfigSettings {
  readonly level: Level | undefined;
  readonly levels: Readonly<Record<string, Level>> | undefined;
  readonly render: boolean | undefined;
  readonly caller: boolean | undefined;
  readonly timestamp: boolean | undefined;
  readonly stackTrace: boolean | undefined;
  readonly timeFormat: TimeFormat | undefined;
  readonly ecs: EcsOptions | undefined;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  readonly enrich: LoggerOptions['enrich'];
  readonly redact: LoggerOptions['redact'];
  readonly sampling: LoggerOptions['sampling'];
  readonly limits: LoggerOptions['limits'];
  readonly bufferOnFailure: BufferOptions | false | undefined;
  /** For the request logs of `LogxModule`; a logger does not use it. */
  readonly probes: ProbeLog | undefined;
  readonly sinks: readonly SinkEntry[] | undefined;
  readonly #mistakes = new Mistakes();
  readonly #source: string | undefined;

  /** Records the mistakes in the document; `check` and `options` throw them. */
  constructor(document: unknown, source?: string) {
    const fields = new Fields(document, '', this.#mistakes);
    this.#source = source;
    const read = fields.readAll(DOCUMENT_OPTIONS);
    this.level = read.level;
    this.levels = read.levels;
    this.render = read.render;
    this.caller = read.caller;
    this.timestamp = read.timestamp;
    this.stackTrace = read.stackTrace;
    this.timeFormat = read.timeFormat;
    this.ecs = read.ecs;
    this.fields = read.fields;
    this.enrich = read.enrich;
    this.redact = read.redact;
    this.sampling = read.sampling;
    this.limits = read.limits;
    this.bufferOnFailure = read.bufferOnFailure;
    this.probes = read.probes;
    this.sinks = fields.each('sinks', (entry) => new SinkEntry(entry, this.#mistakes));
    fields.refuseOthers();
  }

  /** @throws ConfigError for mistakes in the document itself. */
  check(): this {
    this.#throw(this.#mistakes.found);
    return this;
  }

  /**
   * The document as options of `createLogger`, which can be extended.
   *
   * @throws ConfigError for mistakes in the document, unknown sink types and wrong `options` of
   * sinks, all of them at once.
   */
  options(): LoggerOptions {
    const inSinks = new Mistakes();
    const sinks = this.sinks?.flatMap((entry) => madeSink(this, entry, inSinks) ?? []);
    this.#throw([...this.#mistakes.found, ...inSinks.found]);
    return {
      level: this.level,
      levels: this.levels,
      renderedMessage: this.render,
      caller: this.caller,
      timestamp: this.timestamp,
      stackTrace: this.stackTrace,
      timeFormat: this.timeFormat,
      ecs: this.ecs,
      fields: this.fields,
      enrich: this.enrich,
      redact: this.redact,
      sampling: this.sampling,
      limits: this.limits,
      bufferOnFailure: this.bufferOnFailure,
      sinks,
    };
  }

  /** Creates the logger. @throws ConfigError like `options`, and Error if a sink cannot be opened. */
  build(): Logger {
    return createLogger(this.options());
  }

  #throw(mistakes: readonly string[]): void {
    if (mistakes.length > 0) throw new ConfigError([...mistakes], this.#source);
  }
}
