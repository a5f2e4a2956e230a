import { type FieldValue, type Level, parseLevel, type TimeFormatName } from '@apix/logx/core';
import { setAttribute, setField } from './attributes.js';
import { severityOf } from './severity.js';
import { timeOf } from './line-time.js';
import { spanContextOf } from './span-context.js';
import type { RecordAttributes, Translation } from './translation.js';

/** The attributes for fields that the logger itself writes. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['error', 'exception.message'],
  ['stack', 'exception.stacktrace'],
  ['@mt', 'log.template'],
]);

/**
 * Translates one event in the `json` format. An invalid level or time is kept as an attribute, so that it
 * is not lost.
 *
 * @throws Error for a line that is not a JSON object.
 */
export function translateLine(
  line: string,
  timeFormat: TimeFormatName,
  staticAttributes: Readonly<Record<string, string>>,
  now: number,
): Translation {
  const event = parse(line);
  const attributes: RecordAttributes = { ...staticAttributes };
  const spanContext = spanContextOf(event['trace_id'], event['span_id']);
  const level = levelOf(event['level']);
  const severity = level === undefined ? undefined : severityOf(level);
  const time = timeOf(event['time'], timeFormat, now);
  const message = event['message'];
  for (const [field, value] of Object.entries(event)) {
    switch (field) {
      case 'level':
        if (level === undefined) setField(attributes, field, value);
        break;
      case 'time':
        if (time === undefined) setField(attributes, field, value);
        break;
      case 'message':
        if (typeof message !== 'string') setField(attributes, field, value);
        break;
      case 'trace_id':
      case 'span_id':
        if (spanContext === undefined) setField(attributes, field, value);
        break;
      case 'error':
      case 'stack':
      case '@mt':
        setAttribute(attributes, RENAMED.get(field)!, value);
        break;
      case 'caller':
        setCaller(attributes, value);
        break;
      default:
        setField(attributes, field, value);
    }
  }
  return {
    time,
    severityNumber: severity?.number,
    severityText: severity?.text,
    body: typeof message === 'string' ? message : undefined,
    attributes,
    spanContext,
  };
}

function parse(line: string): Readonly<Record<string, FieldValue>> {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (cause) {
    throw new Error('not JSON', { cause });
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new Error('not a JSON object');
  }
  return event as Readonly<Record<string, FieldValue>>;
}

function levelOf(value: unknown): Level | undefined {
  try {
    return parseLevel(value as string);
  } catch {
    return undefined;
  }
}

/** Splits `file:line`; any other value is not split. */
function setCaller(attributes: RecordAttributes, caller: FieldValue): void {
  const [, file, line] = typeof caller === 'string' ? (/^(.*):(\d+)$/.exec(caller) ?? []) : [];
  setAttribute(attributes, 'code.filepath', file ?? caller);
  if (line !== undefined) attributes['code.lineno'] = Number(line);
}
