import type { FieldStyle } from '../event/scope.js';
import type { FieldValue } from '../value/field-value.js';
import { jsonOf, quoteJson } from '../value/json-text.js';
import { type FlatDialect, flatFormat } from './flat.js';

/** What `ecs.version` says in every line. */
export const ECS_VERSION = '8.11.0';

/**
 * The names that the format writes itself, and the objects that these are in: a field of such a
 * name would stand twice, or make Elasticsearch refuse the line.
 */
const TAKEN =
  /^(?:@timestamp|log|log\.level|log\.origin|log\.origin\.file(?:\.name|\.line)?|error|error\.message|error\.stack_trace|ecs|ecs\.version|message_template|message_template\.text)_*$/;

/** ECS has objects under these names, so a text becomes a member of it. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ['service', 'service.name'],
  ['logger', 'log.logger'],
]);

function ecsName(field: string, value?: FieldValue): string {
  const member = typeof value === 'string' ? MEMBERS.get(field) : undefined;
  return member ?? (TAKEN.test(field) ? `${field}_` : field);
}

const STYLE: FieldStyle = {
  special: new Set([...MEMBERS.keys(), ...MEMBERS.values()]),
  rename: ecsName,
  write: (field, value) => `,${quoteJson(ecsName(field, value))}:${jsonOf(value)}`,
};

const ECS_DIALECT: FlatDialect = {
  style: STYLE,
  head: (level, time) => `{${time && `"@timestamp":${time},`}"log.level":"${level}"`,
  constant: `,"ecs.version":"${ECS_VERSION}"`,
  messageFirst: true,
  template: ',"message_template.text":',
  message: ',"message":',
  error: ',"error.message":',
  stack: ',"error.stack_trace":',
  caller: ({ file, line }) =>
    `,"log.origin.file.name":${quoteJson(file)},"log.origin.file.line":${line}`,
};

/**
 * The `ecs` format: Elastic Common Schema with dotted names. Time, level and message come first, in
 * this order, as the specification of ecs-logging wants it.
 */
export const ecsEncoder = flatFormat(ECS_DIALECT);
