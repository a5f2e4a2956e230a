import type { Event } from '../event/event.js';
import { Level } from '../levels/level.js';
import type { LineEncoder, LineOptions } from './encoder.js';
import { attributesOf } from './otel-attributes.js';
import { zeros } from './time-text.js';

const SEVERITIES: Readonly<Record<Level, string>> = {
  [Level.Verbose]: severity(1, 'TRACE'),
  [Level.Debug]: severity(5, 'DEBUG'),
  [Level.Information]: severity(9, 'INFO'),
  [Level.Warning]: severity(13, 'WARN'),
  [Level.Error]: severity(17, 'ERROR'),
  [Level.Fatal]: severity(21, 'FATAL'),
};

function severity(number: number, text: string): string {
  return `"severityNumber":${number},"severityText":"${text}"`;
}

/**
 * The `otel` format: one LogRecord of OTLP/JSON per line (opentelemetry/proto/logs/v1/logs.proto), with its
 * attributes sorted by key. A `trace_id` or `span_id` that is not valid stays an attribute.
 */
export function otelEncoder({ message, time }: LineOptions): LineEncoder {
  let lastTime = NaN;
  let times = '';
  const text = (event: Event): string => {
    let line = '{';
    if (time) {
      if (event.time !== lastTime) {
        lastTime = event.time;
        const nanos = zeros(lastTime, 6);
        times = `"timeUnixNano":"${nanos}","observedTimeUnixNano":"${nanos}",`;
      }
      line += times;
    }
    line += SEVERITIES[event.level];
    if (message) line += ',"body":{"stringValue":"' + event.messageJson + '"}';
    const { attributes, trace } = attributesOf(event);
    return line + ',"attributes":[' + attributes + ']' + trace + '}\n';
  };
  return { text };
}
