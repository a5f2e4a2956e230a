/** The reason why tracing cannot be set up. */
export class TracingSetupError extends Error {
  override readonly name = 'TracingSetupError';
}
