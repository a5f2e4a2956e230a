import { shownValue } from '@apix/contracts';
import { fileSink } from '../sinks/file-sink.js';
import type { SinkSpec } from '../sinks/sink.js';
import { NO_LAYOUT, optionalParts } from '../sinks/spec-parts.js';
import { consoleSink, stderrSink, stdoutSink } from '../sinks/standard-sinks.js';
import type { ConfigSettings } from './config-settings.js';
import { builtInType, type BuiltInType, type SinkEntry } from './sink-entry.js';

/**
 * Creates a sink from an entry of a configuration document; usually with `customSink(...)`. The entry's
 * `level` is applied to the sink, and its `format` if there is one. It is also called when a document is
 * only checked: open nothing before `open` of the sink is called.
 */
export type SinkFactory = (config: ConfigSettings, entry: SinkEntry) => SinkSpec;

const registered = new Map<string, SinkFactory>();

/**
 * Registers `name` as a `type` of sinks in configuration documents, in any letter case. A second
 * registration of a name replaces the first; existing sinks do not change.
 *
 * @throws RangeError for the names of the built-in types.
 */
export function registerSinkType(name: string, factory: SinkFactory): void {
  if (name === '' || builtInType(name) !== undefined) {
    throw new RangeError(
      `logx: cannot register the sink type ${shownValue(name)}: ` +
        (name === '' ? 'it must have a name' : 'it is built in'),
    );
  }
  registered.set(name.toLowerCase(), factory);
}

/** @throws RangeError for a type that is not registered, and for a layout in another format than console. */
export function sinkOf(config: ConfigSettings, entry: SinkEntry): SinkSpec {
  const made = madeBy(config, entry);
  if (made.layout !== undefined && made.format !== 'console') throw new RangeError(NO_LAYOUT);
  return made;
}

function madeBy(config: ConfigSettings, entry: SinkEntry): SinkSpec {
  const builtIn = builtInType(entry.type);
  if (builtIn !== undefined) return builtInSink(builtIn, entry);
  const factory = registered.get(entry.type.toLowerCase());
  if (factory === undefined) {
    const known = ['console', 'file', 'stdout', 'stderr', ...registered.keys()].join(', ');
    throw new RangeError(
      `unknown sink type ${shownValue(entry.type)}; known are ${known}. ` +
        'Import the package that registers it, or call registerSinkType first',
    );
  }
  const made = factory(config, entry);
  const { kind, color, timeFormat, timeFormats } = made;
  const minLevel = entry.level ?? made.minLevel;
  const maxLevel = entry.maxLevel ?? made.maxLevel;
  const layout = entry.layout ?? made.layout;
  return {
    kind,
    format: entry.format ?? made.format,
    ...optionalParts({ minLevel, maxLevel, color, layout, timeFormat, timeFormats }),
    // Spreading an object with methods would lose `open`.
    open: (context) => made.open(context),
  };
}

function builtInSink(type: BuiltInType, entry: SinkEntry): SinkSpec {
  const {
    level: minLevel,
    maxLevel,
    format,
    layout,
    async,
    gather,
    target,
    rotation,
    path,
  } = entry;
  const color = entry.noColor ? false : undefined;
  const options = { minLevel, maxLevel, format, layout, async, gather };
  switch (type) {
    case 'console':
      return consoleSink({ ...options, color, target });
    case 'stdout':
      return stdoutSink({ ...options, color });
    case 'stderr':
      return stderrSink({ ...options, color });
    case 'file':
      return fileSink(path, { ...options, rotation });
  }
}
