/** What `GatewayModule.forRoot` was given. */
export const GATEWAY_OPTIONS = Symbol('apix.GatewayOptions');
