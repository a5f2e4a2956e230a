import type { EcsOptions } from '../encode/ecs-options.js';
import { parseTimeFormat, type TimeFormat } from '../encode/time-format.js';
import { type Level, parseLevel } from '../levels/level.js';
import { Mistakes, OptionsError } from '@apix/contracts';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import type { SinkSpec } from '../sinks/sink.js';
import { ConfigError } from './config-error.js';
import type { ConfigSettings } from './config-settings.js';
import { WrongOptions } from './decode-options.js';
import { Fields, textInPath } from './fields.js';
import { readEcs } from './read-ecs.js';
import { builtInType, SinkEntry } from './sink-entry.js';
import { sinkOf } from './sink-types.js';

/** A configuration document that has been read. */
export class Config implements ConfigSettings {
  readonly level: Level | undefined;
  readonly render: boolean | undefined;
  readonly caller: boolean | undefined;
  readonly timestamp: boolean | undefined;
  readonly stackTrace: boolean | undefined;
  readonly timeFormat: TimeFormat | undefined;
  readonly ecs: EcsOptions | undefined;
  readonly sinks: readonly SinkEntry[] | undefined;
  readonly #mistakes = new Mistakes();
  readonly #source: string | undefined;

  /** Notes what is wrong in the document; `check` and `options` throw it. */
  constructor(document: unknown, source?: string) {
    const fields = new Fields(document, '', this.#mistakes);
    this.#source = source;
    this.level = fields.parsedText('level', parseLevel);
    this.render = fields.flag('render');
    this.caller = fields.flag('caller');
    this.timestamp = fields.flag('timestamp');
    this.stackTrace = fields.flag('stackTrace');
    this.timeFormat = fields.parsedText('timeFormat', parseTimeFormat);
    this.ecs = readEcs(fields.within('ecs'));
    this.sinks = fields.each('sinks', (entry) => new SinkEntry(entry, this.#mistakes));
    fields.refuseOthers();
  }

  /** @throws ConfigError when something is wrong in the document itself. */
  check(): this {
    this.#throw(this.#mistakes.found);
    return this;
  }

  /**
   * The document as options of `createLogger`, which can be added to.
   *
   * @throws ConfigError for mistakes in the document, unknown sink types and wrong `options` of
   * sinks, all of them at once.
   */
  options(): LoggerOptions {
    const inSinks = new Mistakes();
    const sinks = this.sinks?.flatMap((entry) => this.#sinkOf(entry, inSinks));
    this.#throw([...this.#mistakes.found, ...inSinks.found]);
    return {
      level: this.level,
      renderedMessage: this.render,
      caller: this.caller,
      timestamp: this.timestamp,
      stackTrace: this.stackTrace,
      timeFormat: this.timeFormat,
      ecs: this.ecs,
      sinks,
    };
  }

  /** @throws ConfigError as `options` does, and an Error when a sink cannot be opened. */
  build(): Logger {
    return createLogger(this.options());
  }

  #sinkOf(entry: SinkEntry, mistakes: Mistakes): SinkSpec[] {
    if (!entry.isSound) return [];
    const isBuiltIn = builtInType(entry.type) !== undefined;
    const where = isBuiltIn ? entry.location : `${entry.location}.options`;
    try {
      return [sinkOf(this, entry)];
    } catch (error) {
      if (error instanceof WrongOptions) {
        for (const mistake of error.mistakes) mistakes.add('', mistake);
      } else if (error instanceof OptionsError) {
        for (const mistake of error.mistakes) mistakes.add('', `${where}.${mistake}`);
      } else {
        mistakes.add(entry.location, textInPath(error));
      }
      return [];
    }
  }

  #throw(mistakes: readonly string[]): void {
    if (mistakes.length > 0) throw new ConfigError([...mistakes], this.#source);
  }
}
