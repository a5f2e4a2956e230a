/** What keeps tracing from being set up. */
export class TracingSetupError extends Error {
  override readonly name = 'TracingSetupError';
}
