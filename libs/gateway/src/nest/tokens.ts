/** The options of `GatewayModule.forRoot`. */
export const GATEWAY_OPTIONS = Symbol.for('apix.gateway.Options');

/** The descriptors whose rules GatewayModule serves. */
export const GATEWAY_PROTOS = Symbol.for('apix.gateway.Protos');
