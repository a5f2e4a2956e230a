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

/** The words of an error, whatever was thrown. */
export function messageOf(error: unknown): string {
  const message = (error as { readonly message?: unknown } | null | undefined)?.message;
  return typeof message === 'string' ? message : String(error);
}
