/** On a controller class or handler: serves the operator (health, metrics, docs), not the user. */
export const INFRASTRUCTURE_ENDPOINT = Symbol.for('apix.InfrastructureEndpoint');

/**
 * Marks a controller or one of its handlers as an infrastructure endpoint: authz exempts it
 * under `unannotated: 'deny'` and lists it at start, request logging can skip it.
 */
export function InfrastructureEndpoint(): ClassDecorator & MethodDecorator {
  return (target: object, _key?: string | symbol, descriptor?: PropertyDescriptor) => {
    mark(descriptor === undefined ? target : (descriptor.value as object));
  };
}

/**
 * Marks a raw request that an infrastructure endpoint answers outside of Nest's routing, such as
 * middleware: request logging sees no controller there and can skip it by this mark. Call it
 * before the response ends.
 */
export function markInfrastructureRequest(request: object): void {
  mark(request);
}

function mark(marked: object): void {
  Object.defineProperty(marked, INFRASTRUCTURE_ENDPOINT, { value: true });
}

/** On an app, so that all installed copies add to the same paths. */
const PATHS = Symbol.for('apix.InfrastructurePaths');

interface Noted {
  readonly exact: Set<string>;
  /** Each with a slash at its end. */
  readonly below: Set<string>;
}

interface App {
  [PATHS]?: Noted;
}

/**
 * Says at start which GET and HEAD requests of an app are for the operator (health, metrics, docs), for those who
 * have to know before a handler is reached, such as tracing. It exempts them from nothing else.
 *
 * @param app Nest's ApplicationConfig of the app.
 * @param path whole, with the global prefix; with `/*` at its end, all that lies below it.
 */
// Why: docs/decisions/0143
export function noteInfrastructurePath(app: object, path: string): void {
  const noted = ((app as App)[PATHS] ??= { exact: new Set(), below: new Set() });
  if (path.endsWith('/*')) noted.below.add(path.slice(0, -1));
  else noted.exact.add(path);
}

/** Whether GET of a path was noted as one for the operator. */
export function isInfrastructurePath(app: object, path: string): boolean {
  const noted = (app as App)[PATHS];
  if (noted === undefined) return false;
  if (noted.exact.has(path)) return true;
  for (const prefix of noted.below) if (path.startsWith(prefix)) return true;
  return false;
}
