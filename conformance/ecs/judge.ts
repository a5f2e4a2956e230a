import { isIP } from 'node:net';
import { EcsFlat } from '@elastic/ecs';
import { LOGGING_FIELDS } from './logging-fields.js';

type Json = Readonly<Record<string, unknown>>;

/** The names under which ECS has an object, taken from the names of its fields. */
export const OBJECTS: ReadonlySet<string> = new Set([
  ...Object.keys(EcsFlat).flatMap((name) => {
    const parts = name.split('.');
    return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('.'));
  }),
  ...Object.values(EcsFlat).flatMap(({ flat_name: name, type }) =>
    ['object', 'flattened', 'nested'].includes(type) ? [name] : [],
  ),
]);

/** What is wrong with a line, as ecs-logging and an index with the templates of ECS see it. */
export function problemsIn(line: string): string[] {
  if (line.indexOf('\n') !== line.length - 1) return ['is not one line'];
  const event = JSON.parse(line) as Json;
  return [...loggingProblems(event), ...fieldProblems(event), ...clashes(event)];
}

function loggingProblems(event: Json): string[] {
  const names = Object.keys(event);
  return Object.entries(LOGGING_FIELDS).flatMap(([name, { type, required, index }]) => {
    const value = event[name];
    if (value === undefined || value === null) return required ? [`${name} is missing`] : [];
    return [
      ...(hasType(value, type) ? [] : [`${name} is not of type ${type}`]),
      ...(index === undefined || names[index] === name ? [] : [`${name} is not at ${index}`]),
    ];
  });
}

function fieldProblems(value: Json, inside = ''): string[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const name = inside + key;
    const field = EcsFlat[name];
    if (OBJECTS.has(name)) {
      if (member === null) return [];
      const members = Array.isArray(member) ? (member as unknown[]) : [member];
      return members.flatMap((one) =>
        isObject(one) ? fieldProblems(one, `${name}.`) : [`${name} is an object in ECS`],
      );
    }
    if (field !== undefined) {
      return takes(member, field.type) ? [] : [`${name} is not a ${field.type}`];
    }
    return isObject(member) ? fieldProblems(member, `${name}.`) : [];
  });
}

/** A name that is a value here and an object there. */
function clashes(event: Json): string[] {
  const names = Object.keys(event);
  return names.flatMap((name) => {
    const value = event[name];
    if (value === null || isObject(value)) return [];
    const other = names.find((one) => one.startsWith(`${name}.`));
    return other === undefined ? [] : [`${name} and ${other} cannot both be`];
  });
}

/** Whether Elasticsearch takes the value, or each value of a list, for the type. */
function takes(value: unknown, type: string): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.every((one) => takes(one, type));
  switch (type) {
    case 'keyword':
    case 'constant_keyword':
    case 'wildcard':
    case 'match_only_text':
      return typeof value === 'string';
    case 'long':
      return Number.isSafeInteger(value);
    case 'float':
    case 'scaled_float':
      return Number.isFinite(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return hasType(value, 'datetime');
    case 'ip':
      return typeof value === 'string' && isIP(value) !== 0;
    default:
      return isObject(value);
  }
}

function hasType(value: unknown, type: 'string' | 'integer' | 'datetime' | 'object'): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return isObject(value);
    case 'datetime':
      return (
        typeof value === 'string' &&
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
        !Number.isNaN(Date.parse(value))
      );
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
