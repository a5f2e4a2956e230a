/** A path at which a handler answers, and who may call it. */
export interface WordedRoute {
  /** Such as `GET`; `ALL` for every method. */
  readonly verb: string;
  /** As Nest gives it to its adapter, such as `/v1/orders/:id`. */
  readonly path: string;
  /** In words, as `apix-authz report` has it. */
  readonly who: string;
}

type Operations = Readonly<Record<string, unknown>>;

const METHODS = [
  'get',
  'put',
  'post',
  'delete',
  'options',
  'head',
  'patch',
  'trace',
  'search',
  'query',
];

/**
 * A copy of an OpenAPI document whose operations say who may call them, where a route serves them. One that several
 * routes may serve says it only if they agree: which of them answers is up to the framework.
 */
// Why: docs/decisions/0557
export function sayWhoMayCall(document: object, routes: Iterable<WordedRoute>): object {
  const { paths } = document as { readonly paths?: Readonly<Record<string, Operations>> };
  if (paths === undefined) return document;
  const texts = textsOf(routes);
  const worded = Object.entries(paths).map(([path, item]) => {
    const shape = path.replaceAll(/\{[^}]*\}/g, '{}');
    const operations = Object.entries(item).map(([method, operation]) => {
      const isOperation = METHODS.includes(method);
      const found = isOperation ? texts(method.toUpperCase(), shape) : new Set<string>();
      const [who] = found;
      if (found.size !== 1) return [method, operation];
      return [method, { ...(operation as object), 'x-who-may-call': who }];
    });
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(worded) as object };
}

/** What the routes of a method and a shape say. */
function textsOf(routes: Iterable<WordedRoute>): (verb: string, shape: string) => Set<string> {
  const texts = new Map<string, Set<string>>();
  const at = (verb: string, shape: string): Iterable<string> => texts.get(`${verb} ${shape}`) ?? [];
  for (const { verb, path, who } of routes) {
    const key = `${verb} ${shapeOf(path)}`;
    texts.set(key, new Set([...(texts.get(key) ?? []), who]));
  }
  return (verb, shape) => new Set([...at(verb, shape), ...at('ALL', shape)]);
}

/** A path of Nest with `{}` for each parameter: Express and Fastify have patterns and optional parts that OpenAPI has not. */
function shapeOf(path: string): string {
  return path
    .replaceAll(/[{}]/g, '')
    .replaceAll(/(?<!\\):[\w$]+(?:\([^)]*\))?\??|\*\w*/g, '{}')
    .replaceAll('\\:', ':');
}
