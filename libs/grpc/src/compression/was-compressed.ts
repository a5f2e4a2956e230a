const compressed = new WeakSet<object>();

/**
 * Whether a request that a handler got over the network had been compressed. Of what was called
 * in-process, it had not.
 */
export function wasCompressed(request: object): boolean {
  return compressed.has(request);
}

/** For whoever decompresses. */
export function noteCompressed(request: unknown): void {
  if (typeof request === 'object' && request !== null) compressed.add(request);
}
