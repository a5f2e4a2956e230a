/** The mark of `@apix/contracts`: an endpoint, or a request to it, that serves the operator. */
const INFRASTRUCTURE_ENDPOINT = Symbol.for('apix.InfrastructureEndpoint');

export function markAsInfrastructure(marked: object): void {
  Object.defineProperty(marked, INFRASTRUCTURE_ENDPOINT, { value: true });
}
