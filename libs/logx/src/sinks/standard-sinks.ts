import { choice, FLAG, type OptionTable, type ReadOptions } from '@apix/contracts/internal';
import { DESCRIPTORS } from './auto-format.js';
import { wantsColor } from './color.js';
import { DescriptorOutlet } from './descriptor-outlet.js';
import { LineWriter, type LineWriterOptions } from './line-writer.js';
import type { Sink, SinkContext, SinkSpec } from './sink.js';
import {
  GATHER,
  type GatheringSinkOptions,
  maxLinesOf,
  readSinkOptions,
  SINK_OPTIONS,
  specOf,
} from './sink-options.js';

export type StandardStream = 'stdout' | 'stderr';

export interface ConsoleSinkOptions extends GatheringSinkOptions {
  /** Default: `'stdout'`. */
  readonly target?: StandardStream | undefined;
  /**
   * Default: true for a terminal, unless NO_COLOR is set or TERM is `dumb`; FORCE_COLOR takes precedence: `0` and
   * `false` mean false, any other value true.
   */
  readonly color?: boolean | undefined;
}

export interface StandardSinkOptions extends GatheringSinkOptions {
  /** Applies only to the console format. Default: as for a console sink. */
  readonly color?: boolean | undefined;
}

/** The allowed values of each option of a console sink. */
export const CONSOLE_SINK_OPTIONS = {
  ...SINK_OPTIONS,
  gather: GATHER,
  target: choice<StandardStream>(['stdout', 'stderr']),
  color: FLAG,
} satisfies OptionTable<ConsoleSinkOptions>;

const STANDARD_SINK_OPTIONS = {
  ...SINK_OPTIONS,
  gather: GATHER,
  color: FLAG,
} satisfies OptionTable<StandardSinkOptions>;

/** Writes events for human readers to standard output or standard error. */
export function consoleSink(options: ConsoleSinkOptions = {}): SinkSpec {
  const read = readSinkOptions('console', CONSOLE_SINK_OPTIONS, options);
  const { target = 'stdout', format = 'console' } = read;
  return standardSink('console', target, { ...read, format });
}

/**
 * Writes lines to standard output. They are written to the descriptor itself, not by `process.stdout`: for
 * a program that has replaced `process.stdout.write` and needs the lines, use `streamSink(process.stdout)`.
 */
export function stdoutSink(options: StandardSinkOptions = {}): SinkSpec {
  return standardSink('stdout', 'stdout', readStandard('stdout', options));
}

/** Writes lines to standard error; otherwise the same as {@link stdoutSink}. */
export function stderrSink(options: StandardSinkOptions = {}): SinkSpec {
  return standardSink('stderr', 'stderr', readStandard('stderr', options));
}

type StandardSettings = ReadOptions<typeof STANDARD_SINK_OPTIONS>;

function readStandard(kind: string, options: StandardSinkOptions): StandardSettings {
  return readSinkOptions(kind, STANDARD_SINK_OPTIONS, options);
}

function standardSink(kind: string, target: StandardStream, settings: StandardSettings): SinkSpec {
  const lines = { maxLines: maxLinesOf(settings), gatherMs: settings.gather };
  const descriptor = DESCRIPTORS[target];
  const open = (context: SinkContext): Sink => openShared(target, lines, context);
  const spec = specOf(kind, settings, open, descriptor);
  const color = settings.color ?? wantsColor(descriptor);
  return spec.format === 'console' ? { ...spec, color } : spec;
}

type WaitingOptions = Pick<LineWriterOptions, 'maxLines' | 'gatherMs'>;

interface SharedWriter {
  readonly writer: LineWriter;
  readonly users: Set<SinkContext>;
}

const shared = new Map<string, SharedWriter>();

/** All sinks of a descriptor share one writer, so that lines never overlap. */
function openShared(target: StandardStream, lines: WaitingOptions, context: SinkContext): Sink {
  const key = `${target} ${lines.maxLines ?? ''} ${lines.gatherMs ?? 0}`;
  const entry = shared.get(key) ?? newSharedWriter(target, lines);
  shared.set(key, entry);
  const { writer, users } = entry;
  const { onDropped } = context;
  const user = { onError: (error: Error) => context.onError(error), onDropped };
  users.add(user);
  return {
    write: (line, event) => writer.write(line, event),
    writeBytes: (bytes, length, event) => writer.writeBytes(bytes, length, event),
    flushSync: () => writer.flushSync(),
    flush: (deadline) => writer.flush(deadline),
    close: async (deadline) => {
      const wasLast = users.delete(user) && users.size === 0;
      if (!wasLast) return writer.flush(deadline);
      users.add(user);
      shared.delete(key);
      await writer.close(deadline);
    },
  };
}

function newSharedWriter(target: StandardStream, lines: WaitingOptions): SharedWriter {
  const users = new Set<SinkContext>();
  const onError = (error: Error): void => {
    for (const user of users) user.onError(error);
  };
  // One line is enough, from any of the sinks.
  const onDropped = (name: string, count: number): void => {
    [...users].find((user) => user.onDropped !== undefined)?.onDropped?.(name, count);
  };
  const outlet = new DescriptorOutlet(target, DESCRIPTORS[target]);
  return { writer: new LineWriter(outlet, { onError, onDropped, ...lines }), users };
}
