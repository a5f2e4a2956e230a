import type { SinkSpec } from '../sinks/sink.js';
import type { Encoder, LineOptions } from './encoder.js';
import { jsonEncoder } from './json.js';
import type { TimeFormat } from './time-format.js';

/** The encoder of a sink's format. */
export function encoderFor(
  spec: Pick<SinkSpec, 'format' | 'color'>,
  options: LineOptions,
  timeFormat: TimeFormat | undefined,
): Encoder {
  return jsonEncoder(options, timeFormat ?? 'TimeRFC3339');
}
