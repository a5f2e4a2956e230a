import { PATTERN_EXTRAS_METADATA } from '../npm-install/@nestjs/microservices.js';

/** Marks a handler of `@GrpcService` among those of Nest's own decorators, in what Nest keeps next to its pattern. */
const GENERATED = Symbol('apix.grpc.GeneratedHandler');

export function markGenerated(handler: object): void {
  const extras = Reflect.getMetadata(PATTERN_EXTRAS_METADATA, handler) as object | undefined;
  Reflect.defineMetadata(PATTERN_EXTRAS_METADATA, { ...extras, [GENERATED]: true }, handler);
}

/** @param extras which Nest passes with the handler. */
export function isGenerated(extras: object): boolean {
  return GENERATED in extras;
}
