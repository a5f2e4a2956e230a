import type { Format, SinkSpec } from '../sinks/sink.js';
import type { Encoder, LineOptions } from './encoder.js';
import { jsonEncoder } from './json.js';
import type { TimeFormat } from './time-format.js';

type MakeEncoder = (options: LineOptions, timeFormat: TimeFormat) => Encoder;

const ENCODERS: Partial<Record<Format, MakeEncoder>> = { json: jsonEncoder };

/** The encoder of a sink's format. */
export function encoderFor(
  { format }: Pick<SinkSpec, 'format' | 'color'>,
  options: LineOptions,
  timeFormat: TimeFormat = 'TimeRFC3339',
): Encoder {
  return (ENCODERS[format] ?? jsonEncoder)(options, timeFormat);
}
