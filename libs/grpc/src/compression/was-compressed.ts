const compressed = new WeakSet<object>();

/** Whether a request that a handler got over the network had been compressed. False for in-process calls. */
export function wasCompressed(request: object): boolean {
  return compressed.has(request);
}

/** For the code that decompresses. */
export function noteCompressed(request: unknown): void {
  if (typeof request === 'object' && request !== null) compressed.add(request);
}
