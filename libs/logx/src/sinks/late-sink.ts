import type { OpenableSink } from './checked-spec.js';
import type { Format, Sink } from './sink.js';
import { stderrSink } from './standard-sinks.js';

/** Standard error, for lines that come after the end of their app. It is opened by the first one. */
export function lateSink(format: Format): OpenableSink {
  const { minLevel: _min, maxLevel: _max, ...spec } = stderrSink({ format });
  return {
    ...spec,
    open: (context) => {
      let opened: Sink | undefined;
      return {
        write: (line, event) => (opened ??= spec.open(context)).write!(line, event),
        flushSync: () => opened?.flushSync!(),
        flush: async (deadline) => opened?.flush!(deadline),
      };
    },
  };
}
