import type { Caller } from '../event/log-event.js';
import type { Event } from '../event/event.js';
import { type FieldStyle, textOfFields } from '../event/scope.js';
import { type Level, type LevelName, levelName, LEVELS } from '../levels/level.js';
import type { Template } from '../template/template.js';
import { quoteJson } from '../value/json-text.js';
import type { Encoder, LineOptions } from './encoder.js';
import type { TimeFormat } from './time-format.js';
import { timeWriter } from './time-text.js';

/** How a format that is one flat JSON object names things. */
export interface FlatDialect {
  readonly style: FieldStyle;
  /** The level with its name. */
  level(level: LevelName): string;
  /**
   * How a line begins, its brace included: with the level, and with the time and the message as
   * JSON, each empty in lines that have none.
   */
  begin(level: string, time: string, message: string): string;
  /** The message as it follows the fields; empty where the line began with it. */
  end(message: string): string;
  /** Names, quoted, with the comma before and the colon after them. */
  readonly template: string;
  readonly error: string;
  readonly stack: string;
  caller(caller: Caller): string;
}

/** What stands before each value of a template; null where names depend on values. */
type FlatPlan = readonly string[] | null;

/** An encoder that joins parts prepared for levels, scopes and templates. */
export function flatEncoder(
  dialect: FlatDialect,
  options: LineOptions,
  timeFormat: TimeFormat,
): Encoder {
  const { style } = dialect;
  const writeTime = timeWriter(timeFormat);
  const levels: Readonly<Record<number, string>> = Object.fromEntries(
    LEVELS.map((level: Level) => [level, dialect.level(levelName(level))]),
  );
  return (event) => {
    const time = options.time ? writeTime(event.time) : '';
    const message = options.message ? '"' + event.messageJson + '"' : '';
    let line = dialect.begin(levels[event.level]!, time, message);
    const { parsed } = event;
    const known = parsed.plans[style.slot] as FlatPlan | undefined;
    const keys = known === undefined ? plan(parsed, style) : known;
    if (keys === null || event.hidesScope || hasSpecialExtras(event, style)) {
      line += textOfFields(event.fields, style) + dialect.template + parsed.json;
    } else {
      line += event.scope.text(style) + dialect.template + parsed.json;
      const json = event.valuesJson;
      for (let i = 0; i < keys.length; i++) {
        if (keys[i] !== '' && json[i] !== '') line += keys[i]! + json[i]!;
      }
      for (const [field, value] of event.extras) line += style.write(field, value);
    }
    return line + dialect.end(message) + tail(event, dialect);
  };
}

function plan(template: Template, style: FieldStyle): FlatPlan {
  const keys = template.holes.some(({ field }) => style.special?.has(field))
    ? null
    : template.holes.map(({ field, writesField }) =>
        writesField ? `,${quoteJson(style.rename(field))}:` : '',
      );
  template.plans[style.slot] = keys;
  return keys;
}

function hasSpecialExtras({ extras }: Event, { special }: FieldStyle): boolean {
  if (special === undefined || extras.size === 0) return false;
  for (const name of extras.keys()) if (special.has(name)) return true;
  return false;
}

function tail({ error, stack, caller }: Event, dialect: FlatDialect): string {
  if (error === undefined && stack === undefined && caller === undefined) return '}\n';
  let tail = '';
  if (error !== undefined) tail += dialect.error + quoteJson(error);
  if (stack !== undefined) tail += dialect.stack + quoteJson(stack);
  if (caller !== undefined) tail += dialect.caller(caller);
  return `${tail}}\n`;
}
