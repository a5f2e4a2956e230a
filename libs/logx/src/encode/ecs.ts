import { onceForText } from '@apix/contracts/internal';
import type { Event } from '../event/event.js';
import type { FieldStyle, Scope } from '../event/scope.js';
import { Prepared } from '../template/prepared.js';
import type { Template } from '../template/template.js';
import { type FieldValue, isBytes } from '../value/field-value.js';
import { jsonOf, quoteJson } from '../value/json-text.js';
import { acceptedFields, acceptedValue } from './ecs-fields.js';
import { hasOddNames, isOddName } from './ecs-names.js';
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

/** The names of the line itself that are not those of a field. */
const OWN_NAMES = [
  '@timestamp',
  'log.level',
  'message',
  'ecs.version',
  'message_template.text',
  'error.message',
  'error.type',
  'error.stack_trace',
  'log.origin.file.name',
  'log.origin.file.line',
];

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
  const known = new Set([...members, 'trace', 'span', ...(keepObjects ? ECS_OBJECTS : [])]);
  const together: FieldStyle['together'] = (fields, isArgument, added) => {
    const named = new Map<string, FieldValue>();
    for (const [field, value] of fields) named.set(rename(field, value, isArgument(field)), value);
    for (const name of added.keys()) named.delete(name);
    return new Map([...acceptedFields(named, [...OWN_NAMES, ...added.keys()]), ...added]);
  };
  /** The first parts of the names that the fields of a scope get; null if none has another name. */
  const firstParts = Prepared.by((scope: Scope): ReadonlySet<string> | null => {
    if (![...scope.all.keys()].some(isOddName)) return null;
    const names = [...together(scope.all, () => false, new Map()).keys()];
    return new Set(names.map((name) => name.split('.')[0]!));
  });
  return {
    special: { has: (field) => known.has(field) || isOddName(field) },
    rename: (field) => rename(field),
    write: (field, value) => `,${quoteJson(rename(field, value))}:${jsonOf(acceptedValue(value))}`,
    together,
    isInWay: (scope, field) => firstParts(scope)?.has(field) === true,
  };
}

/** Whether the fields of an event must be named together, those of its logger included. */
function specialEvents(style: FieldStyle): (event: Event) => boolean {
  const isSpecialName = onceForText((name) => style.special!.has(name));
  const hasSpecialHole = Prepared.by((template: Template) =>
    template.holes.some(({ field }) => style.special!.has(field)),
  );
  return (event) => {
    const { values, extras, scope } = event;
    if (!event.isText) {
      if (hasSpecialHole(event.parsed)) return true;
      const { holes } = event;
      for (let i = 0; i < holes.length; i++) {
        if (style.isInWay!(scope, holes[i]!.field)) return true;
        if (values[i] !== undefined && hasOddNames(values[i]!)) return true;
      }
    }
    for (let i = 0; i < extras.names.length; i++) {
      const name = extras.names[i]!;
      if (isSpecialName(name) || style.isInWay!(scope, name)) return true;
      if (hasOddNames(extras.values[i]!)) return true;
    }
    return false;
  };
}

/** Whether Elasticsearch accepts the value where it has an object. */
function isObject(value: FieldValue): boolean {
  if (value === null) return true;
  if (typeof value !== 'object' || isBytes(value)) return false;
  return !Array.isArray(value) || value.every((item: FieldValue) => isObject(item));
}

function dialectOf(settings: EcsSettings): FlatDialect {
  const style = styleOf(settings);
  return {
    style,
    isSpecial: specialEvents(style),
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
