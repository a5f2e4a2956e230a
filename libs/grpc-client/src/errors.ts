import { mistakesText } from '@apix/contracts/internal';

/** Mistakes in the set-up of the gRPC server; thrown before it serves. */
export class GrpcSetupError extends Error {
  override readonly name = 'GrpcSetupError';

  constructor(
    /** Everything that is wrong, in the order in which it was found. */
    readonly mistakes: readonly string[],
    /** `service`: its name in the host, where it may be one of several. */
    { service, ...options }: ErrorOptions & { readonly service?: string } = {},
  ) {
    super(
      mistakesText(service === undefined ? 'grpc' : `grpc: service ${service}`, mistakes),
      options,
    );
  }
}

/** For {@link Mistakes.throwIfAny}. */
export function setupError(mistakes: readonly string[]): GrpcSetupError {
  return new GrpcSetupError(mistakes);
}

/**
 * A server did not describe itself: it has no reflection, cannot be reached, or its answer cannot be used.
 */
export class ReflectionError extends Error {
  override readonly name = 'ReflectionError';

  constructor(what: string, options?: ErrorOptions) {
    super(`grpc: ${what}`, options);
  }
}
