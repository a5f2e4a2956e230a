import type { Event } from '../event/event.js';
import type { FieldStyle } from '../event/scope.js';
import { type Level, levelName, LEVELS } from '../levels/level.js';
import type { Template } from '../template/template.js';
import { jsonOf, quoteJson } from '../value/json-text.js';
import type { Encoder, LineOptions } from './encoder.js';
import { SLOTS } from './slots.js';
import type { TimeFormat } from './time-format.js';
import { timeWriter } from './time-text.js';

/** What stands before each value of a template. */
type JsonPlan = readonly string[];

const STYLE: FieldStyle = {
  slot: SLOTS.json,
  write: (field, value) => `,${quoteJson(field)}:${jsonOf(value)}`,
};

const HEADS: Readonly<Record<number, string>> = Object.fromEntries(
  LEVELS.map((level: Level) => [level, `{"level":"${levelName(level)}"`]),
);

/** The `json` format: one flat object a line, with the field names of the specification. */
export function jsonEncoder(options: LineOptions, timeFormat: TimeFormat): Encoder {
  const writeTime = timeWriter(timeFormat);
  return (event) => {
    let line = HEADS[event.level]!;
    if (options.time) line += ',"time":' + writeTime(event.time);
    line += event.hidesScope
      ? event.scope.textWithout((field) => event.hasOwn(field), STYLE)
      : event.scope.text(STYLE);
    line += ',"@mt":' + event.parsed.json;
    const json = event.valuesJson;
    const keys = (event.parsed.plans[SLOTS.json] as JsonPlan | undefined) ?? plan(event.parsed);
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] !== '' && json[i] !== '') line += keys[i]! + json[i]!;
    }
    for (const [field, value] of event.extras) line += STYLE.write(field, value);
    if (options.message) line += ',"message":"' + event.messageJson + '"';
    return line + tail(event);
  };
}

function plan(template: Template): JsonPlan {
  const keys = template.holes.map(({ field, writesField }) =>
    writesField ? `,${quoteJson(field)}:` : '',
  );
  template.plans[SLOTS.json] = keys;
  return keys;
}

function tail({ error, stack, caller }: Event): string {
  let tail = '';
  if (error !== undefined) tail += `,"error":${quoteJson(error)}`;
  if (stack !== undefined) tail += `,"stack":${quoteJson(stack)}`;
  if (caller !== undefined) tail += `,"caller":${quoteJson(`${caller.file}:${caller.line}`)}`;
  return `${tail}}\n`;
}
