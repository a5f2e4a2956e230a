/** The options of `GatewayModule.forRoot`. */
export const GATEWAY_OPTIONS = Symbol.for('apix.gateway.Options');
