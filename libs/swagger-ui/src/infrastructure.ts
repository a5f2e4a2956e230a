/** The mark of `@apix/contracts` for an endpoint for operators, or for a request to one. */
const INFRASTRUCTURE_ENDPOINT = Symbol.for('apix.InfrastructureEndpoint');

export function markAsInfrastructure(marked: object): void {
  Object.defineProperty(marked, INFRASTRUCTURE_ENDPOINT, { value: true });
}
