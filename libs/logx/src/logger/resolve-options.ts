import { type Clock, Mistakes, OptionsError, systemClock } from '@apix/contracts';
import { isRecord, readOptions } from '@apix/contracts/internal';
import type { ConfigSettings } from '../config/config-settings.js';
import { Fields } from '../config/fields.js';
import { SinkEntry } from '../config/sink-entry.js';
import { madeSink } from '../config/made-sink.js';
import { type EcsSettings, ecsSettings } from '../encode/ecs-options.js';
import type { TimeFormat } from '../encode/time-format.js';
import { FieldReader } from '../event/field-reader.js';
import { Level } from '../levels/level.js';
import { redactorOf } from '../redact/redactor.js';
import { checkedSpec, type OpenableSink } from '../sinks/checked-spec.js';
import { stdoutSink } from '../sinks/standard-sinks.js';
import { resolveLimits } from '../value/value-limits.js';
import type { BufferSettings } from './buffer-options.js';
import { fieldsWith } from './enrichers.js';
import type { LoggerOptions } from './logger-options.js';
import { LOGGER_OPTIONS } from './option-tables.js';
import type { Sampler } from './sampling.js';
import { samplerOf } from './sampling-option.js';

/** Options that are checked and have every default. */
export interface ResolvedLoggerOptions {
  readonly level: Level;
  readonly levels: Readonly<Record<string, Level>>;
  readonly message: boolean;
  readonly time: boolean;
  readonly caller: boolean;
  readonly stackTrace: boolean;
  readonly timeFormat: TimeFormat | undefined;
  readonly ecs: EcsSettings;
  readonly sinks: readonly OpenableSink[];
  readonly reader: FieldReader;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  readonly sampling: Sampler | undefined;
  readonly errorHandler: ((error: Error) => void) | undefined;
  /** Undefined if no events are kept. */
  readonly buffer: BufferSettings | undefined;
  readonly clock: Clock;
}

/**
 * @param mistakes the mistakes in other options, to be reported together.
 * @throws OptionsError with every mistake.
 */
export function resolveOptions(
  options: LoggerOptions,
  mistakes: Mistakes = new Mistakes(),
): ResolvedLoggerOptions {
  const read = readOptions(LOGGER_OPTIONS, options, '', mistakes);
  const sinks = sinksOf(read.sinks ?? [stdoutSink()], settingsOf(read), mistakes);
  mistakes.throwIfAny((found) => new OptionsError('logx', found));
  const limits = resolveLimits(read.limits);
  const clock = read.clock ?? systemClock;
  return {
    level: read.level ?? Level.Information,
    levels: read.levels ?? {},
    message: read.renderedMessage ?? true,
    time: read.timestamp ?? true,
    caller: read.caller ?? false,
    stackTrace: read.stackTrace ?? false,
    timeFormat: read.timeFormat,
    ecs: ecsSettings(read.ecs),
    sinks,
    reader: new FieldReader(limits, read.redact && redactorOf(read.redact, limits)),
    fields: fieldsWith(read.enrich, read.fields),
    sampling: read.sampling && samplerOf(read.sampling, clock),
    errorHandler: read.errorHandler,
    buffer: read.bufferOnFailure || undefined,
    clock,
  };
}

type ReadLoggerOptions = ReturnType<typeof readOptions<typeof LOGGER_OPTIONS>>;

/** The argument of the factory of a registered sink type. */
function settingsOf(read: ReadLoggerOptions): ConfigSettings {
  const { level, renderedMessage: render, caller, timestamp, stackTrace, timeFormat } = read;
  return { level, render, caller, timestamp, stackTrace, timeFormat };
}

/** Sinks are values, or entries such as those of a configuration document. */
function sinksOf(
  sinks: readonly unknown[],
  settings: ConfigSettings,
  mistakes: Mistakes,
): readonly OpenableSink[] {
  return sinks.flatMap((sink, i) => {
    const at = `sinks[${i}]`;
    if (!isRecord(sink) || 'open' in sink || !('type' in sink)) {
      return checkedSpec(sink, at, mistakes);
    }
    const made = madeSink(
      settings,
      new SinkEntry(new Fields(sink, at, mistakes), mistakes),
      mistakes,
    );
    return made === undefined ? [] : checkedSpec(made, at, mistakes);
  });
}
