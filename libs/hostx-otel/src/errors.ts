/** A wrong option of this package. */
export class OtelError extends Error {
  override readonly name = 'OtelError';
}
