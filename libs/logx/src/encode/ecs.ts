import type { FieldStyle } from '../event/scope.js';
import { type FieldValue, isBytes } from '../value/field-value.js';
import { jsonOf, quoteJson } from '../value/json-text.js';
import { ECS_OBJECTS } from './ecs-objects.js';
import type { EcsSettings } from './ecs-options.js';
import { requestFields } from './ecs-request.js';
import type { LineEncoder, LineOptions } from './encoder.js';
import { flatFormat } from './flat.js';
import type { FlatDialect } from './flat-dialect.js';
import type { TimeFormat } from './time-format.js';

/** The value of `ecs.version` in every line. */
export const ECS_VERSION = '8.11.0';

/**
 * The names that the format writes itself, and the objects that contain them: a field of such a name would
 * occur twice, or make Elasticsearch reject the line.
 */
const TAKEN =
  /^(?:@timestamp|log|log\.level|log\.origin|log\.origin\.file(?:\.name|\.line)?|error|error\.(?:message|stack_trace|type)|ecs|ecs\.version|message_template|message_template\.text)_*$/;

/** ECS has objects under these names, so a text becomes a member of the object. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['service', 'service.name'],
  ['logger', 'log.logger'],
]);

/** The same for fields of loggers and request events; an argument of a template keeps its name. */
const CONTEXT_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['trace_id', 'trace.id'],
  ['span_id', 'span.id'],
  ['user_agent', 'user_agent.original'],
  ['deployment.environment.name', 'service.environment'],
]);

const UNDERSCORES = /_+$/;

/** The names of fields in the format. */
function styleOf({ keepObjects }: EcsSettings): FieldStyle {
  const rename = (field: string, value?: FieldValue, isArgument = false): string => {
    if (typeof value === 'string') {
      const member = MEMBERS.get(field) ?? (isArgument ? undefined : CONTEXT_MEMBERS.get(field));
      if (member !== undefined) return member;
    }
    if (TAKEN.test(field)) return `${field}_`;
    if (!keepObjects || !ECS_OBJECTS.has(field.replace(UNDERSCORES, ''))) return field;
    const stays = ECS_OBJECTS.has(field) && (value === undefined || isObject(value));
    return stays ? field : `${field}_`;
  };
  const members = [MEMBERS, CONTEXT_MEMBERS].flatMap((map) => [...map.keys(), ...map.values()]);
  return {
    special: new Set([...members, ...(keepObjects ? ECS_OBJECTS : [])]),
    rename,
    write: (field, value, isArgument) =>
      `,${quoteJson(rename(field, value, isArgument))}:${jsonOf(value)}`,
  };
}

/** Whether Elasticsearch accepts the value where it has an object. */
function isObject(value: FieldValue): boolean {
  if (value === null) return true;
  if (typeof value !== 'object' || isBytes(value)) return false;
  return !Array.isArray(value) || value.every((item: FieldValue) => isObject(item));
}

function dialectOf(settings: EcsSettings): FlatDialect {
  return {
    style: styleOf(settings),
    head: (level, time) => `{${time && `"@timestamp":${time},`}"log.level":"${level}"`,
    constant: `,"ecs.version":"${ECS_VERSION}"`,
    messageFirst: true,
    template: ',"message_template.text":',
    message: ',"message":',
    error: ',"error.message":',
    errorType: ',"error.type":',
    stack: ',"error.stack_trace":',
    caller: ({ file, line }) =>
      `,"log.origin.file.name":${quoteJson(file)},"log.origin.file.line":${line}`,
    ...(settings.requests && { additions: requestFields }),
  };
}

type EncoderFactory = (options: LineOptions, timeFormat: TimeFormat) => LineEncoder;

/** One for each combination of settings, because templates and scopes keep the parts that it prepares. */
const factories = new Map<string, EncoderFactory>();

/**
 * The `ecs` format: Elastic Common Schema with dotted names. Time, level and message come first, in this
 * order, as the specification of ecs-logging requires.
 */
export function ecsEncoder(options: LineOptions, timeFormat: TimeFormat): LineEncoder {
  const { ecs } = options;
  const key = JSON.stringify([ecs.requests, ecs.keepObjects]);
  let factory = factories.get(key);
  if (factory === undefined) factories.set(key, (factory = flatFormat(dialectOf(ecs))));
  return factory(options, timeFormat);
}
