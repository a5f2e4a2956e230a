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
