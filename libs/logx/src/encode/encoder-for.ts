import type { Format, SinkSpec } from '../sinks/sink.js';
import { consoleEncoder } from './console.js';
import { layoutEncoder } from './console-layout.js';
import { ecsEncoder } from './ecs.js';
import type { LineEncoder, LineOptions } from './encoder.js';
import { jsonEncoder } from './json.js';
import { otelEncoder } from './otel.js';
import type { TimeFormat } from './time-format.js';

type BuiltInFormat = Pick<SinkSpec, 'color' | 'layout'> & { readonly format: Format };

/** The encoder of a sink's format. */
export function encoderFor(
  { format, color = false, layout }: BuiltInFormat,
  options: LineOptions,
  timeFormat: TimeFormat = 'TimeRFC3339',
): LineEncoder {
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
