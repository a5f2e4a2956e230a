import type { LogEvent } from '@apix/logx/core';
import type { HrTime, SpanContext } from '@opentelemetry/api';
import { setField } from './attributes.js';
import { severityOf } from './severity.js';
import { spanContextOf } from './span-context.js';
import type { RecordAttributes, Translation } from './translation.js';

/** Translates an event; the static attributes are set first, so that fields override them. */
export function translateEvent(
  event: LogEvent,
  staticAttributes: Readonly<Record<string, string>>,
): Translation {
  const { fields, error, stack, caller } = event;
  const severity = severityOf(event.level);
  const attributes: RecordAttributes = { ...staticAttributes };
  let spanContext: SpanContext | undefined;
  if (fields.has('trace_id'))
    spanContext = spanContextOf(fields.get('trace_id'), fields.get('span_id'));
  for (const [field, value] of fields) {
    if (spanContext !== undefined && (field === 'trace_id' || field === 'span_id')) continue;
    setField(attributes, field, value);
  }
  attributes['log.template'] = event.template;
  if (error !== undefined) attributes['exception.message'] = error;
  if (stack !== undefined) attributes['exception.stacktrace'] = stack;
  if (caller !== undefined) {
    attributes['code.filepath'] = caller.file;
    attributes['code.lineno'] = caller.line;
  }
  return {
    time: hrTimeOf(event.time),
    severityNumber: severity.number,
    severityText: severity.text,
    body: event.message,
    attributes,
    spanContext,
  };
}

/** Converts milliseconds since the epoch to seconds and nanoseconds. */
export function hrTimeOf(time: number): HrTime {
  const seconds = Math.floor(time / 1_000);
  return [seconds, Math.round((time - seconds * 1_000) * 1e6)];
}
