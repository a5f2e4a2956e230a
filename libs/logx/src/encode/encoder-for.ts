import type { SinkSpec } from '../sinks/sink.js';
import { consoleEncoder } from './console.js';
import { layoutEncoder } from './console-layout.js';
import { ecsEncoder } from './ecs.js';
import type { Encoder, LineOptions } from './encoder.js';
import { jsonEncoder } from './json.js';
import { otelEncoder } from './otel.js';
import type { TimeFormat } from './time-format.js';

/** The encoder of a sink's format. */
export function encoderFor(
  { format, color = false, layout }: Pick<SinkSpec, 'format' | 'color' | 'layout'>,
  options: LineOptions,
  timeFormat: TimeFormat = 'TimeRFC3339',
): Encoder {
  switch (format) {
    case 'json':
      return jsonEncoder(options, timeFormat);
    case 'console':
      return layout === undefined
        ? consoleEncoder(options, timeFormat, color)
        : layoutEncoder(layout, options, timeFormat, color);
    case 'ecs':
      return ecsEncoder(options, timeFormat);
    case 'otel':
      return otelEncoder(options);
  }
}
