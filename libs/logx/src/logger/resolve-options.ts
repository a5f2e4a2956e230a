import {
  type Clock,
  Mistakes,
  OptionsError,
  shownValue,
  systemClock,
  thrownText,
} from '@apix/contracts';
import { type EcsSettings, resolveEcs } from '../encode/ecs-options.js';
import { TIME_FORMATS, type TimeFormat } from '../encode/time-format.js';
import { FieldReader } from '../event/field-reader.js';
import { Level, toLevel } from '../levels/level.js';
import { redactorOf } from '../redact/redactor.js';
import type { SinkSpec } from '../sinks/sink.js';
import { stdoutSink } from '../sinks/standard-sinks.js';
import { resolveLimits } from '../value/value-limits.js';
import type { LoggerOptions } from './logger-options.js';
import type { Sampler } from './sampling.js';

/** Options that are checked and have every default. */
export interface ResolvedLoggerOptions {
  readonly level: Level;
  readonly message: boolean;
  readonly time: boolean;
  readonly caller: boolean;
  readonly stackTrace: boolean;
  readonly timeFormat: TimeFormat | undefined;
  readonly ecs: EcsSettings;
  readonly sinks: readonly SinkSpec[];
  readonly reader: FieldReader;
  readonly sampling: Sampler | undefined;
  readonly errorHandler: ((error: Error) => void) | undefined;
  readonly clock: Clock;
}

/**
 * @param mistakes what is wrong with other options, to be reported with these.
 * @throws OptionsError with every mistake.
 */
export function resolveOptions(
  options: LoggerOptions,
  mistakes: Mistakes = new Mistakes(),
): ResolvedLoggerOptions {
  const { timeFormat, sinks = [stdoutSink()], sampling, errorHandler } = options;
  const flag = (name: 'renderedMessage' | 'caller' | 'timestamp' | 'stackTrace', value: boolean) =>
    mistakes.flag(name, options[name] ?? value);
  const limits = resolveLimits(options.limits, mistakes);
  if (errorHandler !== undefined && typeof errorHandler !== 'function') {
    mistakes.add('errorHandler', `must be a function, not ${shownValue(errorHandler)}`);
  }
  if (sampling !== undefined && typeof sampling?.sample !== 'function') {
    mistakes.add('sampling', `must be a sampler, such as everyN(10), not ${shownValue(sampling)}`);
  }
  checkSinks(sinks, mistakes);
  const resolved: ResolvedLoggerOptions = {
    level: attempt(
      mistakes,
      'level',
      () => toLevel(options.level ?? Level.Information),
      Level.Information,
    ),
    message: flag('renderedMessage', true),
    time: flag('timestamp', true),
    caller: flag('caller', false),
    stackTrace: flag('stackTrace', false),
    timeFormat:
      timeFormat === undefined
        ? undefined
        : mistakes.choice('timeFormat', timeFormat, TIME_FORMATS),
    ecs: resolveEcs(options.ecs, mistakes),
    sinks,
    reader: new FieldReader(
      limits,
      attempt(
        mistakes,
        'redact',
        () => options.redact && redactorOf(options.redact, limits),
        undefined,
      ),
    ),
    sampling,
    errorHandler,
    clock: options.clock ?? systemClock,
  };
  mistakes.throwIfAny((found) => new OptionsError('logx', found));
  return resolved;
}

function checkSinks(sinks: unknown, mistakes: Mistakes): void {
  if (!Array.isArray(sinks)) {
    mistakes.add('sinks', `must be an array, not ${shownValue(sinks)}`);
    return;
  }
  (sinks as readonly (Partial<SinkSpec> | null | undefined)[]).forEach((sink, i) => {
    if (typeof sink?.open === 'function') return;
    mistakes.add(`sinks[${i}]`, `must be a sink, such as consoleSink(), not ${shownValue(sink)}`);
  });
}

/** As `Mistakes.attempt`; the name of the option stands in place of the prefix of the error. */
function attempt<T>(mistakes: Mistakes, name: string, read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    mistakes.add(name, thrownText(error).replace(/^logx: /, ''));
    return otherwise;
  }
}
