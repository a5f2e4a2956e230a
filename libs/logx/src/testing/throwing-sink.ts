import type { SinkSpec } from '../sinks/sink.js';
import { specOf } from '../sinks/sink-options.js';

/** A sink that counts the lines it refuses. */
export interface ThrowingSink extends SinkSpec {
  readonly attempts: number;
}

/** A sink whose every `write` throws, for tests of a logger's reaction. */
export function throwingSink(error: unknown = new Error('thrown by throwingSink')): ThrowingSink {
  let attempts = 0;
  const spec = specOf('throwing', {}, () => ({
    write() {
      attempts++;
      throw error;
    },
  }));
  return {
    ...spec,
    get attempts() {
      return attempts;
    },
  };
}
