import { AsyncSink } from './async-sink.js';
import { flushAtExit } from './exit-flush.js';
import { reasonOf } from './reason-of.js';
import type { Sink, SinkContext, SinkSpec } from './sink.js';
import { maxLinesOf, type SinkOptions, specOf } from './sink-options.js';

export interface CustomSinkOptions extends SinkOptions {
  /** Names the sink in errors. Default: `'custom'`. */
  readonly kind?: string | undefined;
}

/**
 * Any object with `write` or `emit` as a sink. Its `flushSync` is called when the process exits,
 * its `close` when the logger is closed.
 *
 * @throws TypeError for an object that has neither `write` nor `emit`.
 */
export function customSink(sink: Sink, options: CustomSinkOptions = {}): SinkSpec {
  const { kind = 'custom' } = options;
  if (sink.write === undefined && sink.emit === undefined) {
    throw new TypeError(`logx: sink ${kind} has neither write(line) nor emit(event)`);
  }
  const maxLines = maxLinesOf(options);
  return specOf(kind, options, ({ onError }) =>
    maxLines === undefined
      ? flushedAtExit(sink, kind, { onError })
      : new AsyncSink(sink, { name: kind, maxLines, onError }),
  );
}

function flushedAtExit(sink: Sink, kind: string, { onError }: SinkContext): Sink {
  if (sink.flushSync === undefined) return sink;
  const leaveExit = flushAtExit({
    flushSync() {
      try {
        sink.flushSync?.();
      } catch (cause) {
        onError(new Error(`logx: ${kind} could not be flushed: ${reasonOf(cause)}`, { cause }));
      }
    },
  });
  return {
    ...(sink.write && { write: sink.write.bind(sink) }),
    ...(sink.emit && { emit: sink.emit.bind(sink) }),
    ...(sink.flush && { flush: sink.flush.bind(sink) }),
    flushSync: sink.flushSync.bind(sink),
    close(deadline) {
      leaveExit();
      return sink.close?.(deadline);
    },
  };
}
