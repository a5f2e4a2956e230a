import type { OpenApiDocument } from './document.js';
import { unusedName } from './paths.js';

type Json = { [name: string]: unknown };

/** A part of OpenAPI 3.0, whose keywords differ in part. */
const BOUNDS = { exclusiveMinimum: 'minimum', exclusiveMaximum: 'maximum' } as const;
const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/**
 * Merges two documents: the gateway's, and the paths of another one, such as that of `@nestjs/swagger`. For
 * an operation in both, the first counts, as the gateway serves it. A component whose name is already used
 * gets a number. Documents of OpenAPI 3.0 are read as 3.1.
 */
// Why: docs/decisions/0325
export function mergeDocuments(first: OpenApiDocument, other: object): OpenApiDocument {
  const own = JSON.parse(JSON.stringify(first)) as Json;
  const added = JSON.parse(JSON.stringify(other)) as Json;
  const renamed = renamedComponents(jsonIn(own, 'components'), jsonIn(added, 'components'));
  const read = asThreeOne(added, renamed, String(added['openapi']).startsWith('3.0')) as Json;
  for (const [section, all] of Object.entries(jsonIn(read, 'components'))) {
    const components = jsonIn(jsonIn(own, 'components'), section);
    for (const [name, component] of Object.entries(all as Json)) {
      components[renamed.get(`#/components/${section}/${name}`) ?? name] ??= component;
    }
  }
  const [ownPaths, readPaths] = [jsonIn(own, 'paths'), jsonIn(read, 'paths')];
  for (const [path, item] of Object.entries(readPaths)) {
    for (const method of Object.keys(ownPaths[path] ?? {})) delete (item as Json)[method];
  }
  const ids = new Set(operationsIn(ownPaths).map((operation) => operation['operationId']));
  for (const operation of operationsIn(readPaths)) {
    const security = operation['security'] ?? read['security'];
    if (Array.isArray(security))
      operation['security'] = security.map((it) => renameKeys(it, renamed));
    const id = operation['operationId'];
    if (typeof id === 'string') operation['operationId'] = unusedName(id, ids);
  }
  for (const [path, item] of Object.entries(readPaths)) {
    ownPaths[path] = { ...(ownPaths[path] as Json), ...(item as Json) };
  }
  own['tags'] = mergedTags(own['tags'], read['tags']);
  return own as unknown as OpenApiDocument;
}

/** By their reference, components that need another name because the first document has theirs for something else. */
function renamedComponents(own: Json, added: Json): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const [section, all] of Object.entries(added)) {
    const taken = (own[section] ?? {}) as Json;
    const names = new Set<unknown>([...Object.keys(taken), ...Object.keys(all as Json)]);
    for (const [name, component] of Object.entries(all as Json)) {
      const equal =
        section === 'securitySchemes' ? equalScheme(component as Json, taken) : undefined;
      if (equal !== undefined) {
        renamed.set(`#/components/${section}/${name}`, equal);
        continue;
      }
      const isTaken = name in taken && JSON.stringify(taken[name]) !== JSON.stringify(component);
      if (isTaken) renamed.set(`#/components/${section}/${name}`, unusedName(name, names));
    }
  }
  return renamed;
}

/**
 * The name of the scheme that asks for the same, so that people give a token once: the format of a token and
 * descriptions are only hints for them.
 */
function equalScheme(scheme: Json, schemes: Json): string | undefined {
  const meaning = (one: Json): string =>
    JSON.stringify(
      Object.entries(one)
        .filter(([key]) => key !== 'bearerFormat' && key !== 'description')
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  const wanted = meaning(scheme);
  return Object.keys(schemes).find((name) => meaning(schemes[name] as Json) === wanted);
}

/** A copy with new references, and with keywords of 3.0 converted to 3.1. */
function asThreeOne(value: unknown, renamed: ReadonlyMap<string, string>, isOld: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => asThreeOne(each, renamed, isOld));
  if (typeof value !== 'object' || value === null) return value;
  const made: Json = {};
  for (const [name, each] of Object.entries(value)) made[name] = asThreeOne(each, renamed, isOld);
  const reference = made['$ref'];
  if (typeof reference === 'string') {
    const name = renamed.get(reference);
    if (name !== undefined) made['$ref'] = reference.replace(/[^/]*$/, () => name);
  }
  return isOld ? modern(made) : made;
}

function modern({ nullable, ...schema }: Json): Json {
  for (const [exclusive, bound] of Object.entries(BOUNDS)) {
    if (schema[exclusive] === true) {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else if (schema[exclusive] === false) delete schema[exclusive];
  }
  if (typeof nullable !== 'boolean')
    return nullable === undefined ? schema : { nullable, ...schema };
  if (!nullable) return schema;
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

function operationsIn(paths: Json): Json[] {
  return Object.values(paths).flatMap((item) =>
    Object.entries(item as Json).flatMap(([method, operation]) =>
      METHODS.has(method) ? [operation as Json] : [],
    ),
  );
}

function renameKeys(requirement: object, renamed: ReadonlyMap<string, string>): object {
  return Object.fromEntries(
    Object.entries(requirement).map(([name, scopes]) => [
      renamed.get(`#/components/securitySchemes/${name}`) ?? name,
      scopes as unknown,
    ]),
  );
}

/** Those of the second that it uses too, after those of the first. */
function mergedTags(own: unknown, added: unknown): unknown[] {
  const first = (own ?? []) as readonly Json[];
  const names = new Set(first.map(({ name }) => name));
  return [...first, ...((added ?? []) as readonly Json[]).filter(({ name }) => !names.has(name))];
}

/** A member that is an object, made where it is missing. */
function jsonIn(parent: Json, name: string): Json {
  return (parent[name] ??= {}) as Json;
}
