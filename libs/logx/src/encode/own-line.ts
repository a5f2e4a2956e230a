import { Event } from '../event/event.js';
import type { LogEvent } from '../event/log-event.js';
import { levelName } from '../levels/level.js';
import type { EncoderContext, LineOptions } from './encoder.js';
import { encoderFor } from './encoder-for.js';
import { LineBuffer } from './line-buffer.js';
import type { TimeFormat } from './time-format.js';
import { plainTimeWriter } from './time-text.js';

/** What an encoder of a user gets in addition to the event. */
export function encoderContext(
  { time: hasTime }: LineOptions,
  timeFormat: TimeFormat = 'TimeRFC3339',
): (event: LogEvent) => EncoderContext {
  const writeTime = plainTimeWriter(timeFormat);
  return ({ time, level }) => ({
    time: hasTime ? writeTime(time) : '',
    level: levelName(level),
  });
}

/** The line of an event in JSON. */
export function jsonLine(
  options: LineOptions,
  timeFormat: TimeFormat | undefined,
): (event: LogEvent) => string {
  const encoder = encoderFor({ format: 'json' }, options, timeFormat);
  const line = new LineBuffer();
  return (event) => {
    line.clear();
    if (!(event instanceof Event)) return '';
    if (encoder.bytes === undefined) return encoder.text(event);
    encoder.bytes(event, line);
    return line.toString();
  };
}
