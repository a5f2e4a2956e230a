/** What the gRPC server cannot work with; thrown before it serves. */
export class GrpcSetupError extends Error {
  override readonly name = 'GrpcSetupError';

  constructor(
    readonly mistakes: readonly string[],
    options?: ErrorOptions,
  ) {
    super(`grpc: ${mistakes.join('; ')}`, options);
  }
}
