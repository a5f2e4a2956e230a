/** So many are remembered, whatever paths an infrastructure endpoint serves. */
const MAX_KNOWN = 100;

/**
 * Requests that infrastructure endpoints have answered, by method and path. A request is seen to be one when its
 * handler is reached, which is too late to make no span of it; the next one makes none.
 */
// Why: docs/decisions/0283
export class KnownProbes {
  readonly #known = new Set<string>();

  has(method: string, path: string): boolean {
    return this.#known.size > 0 && this.#known.has(`${method} ${path}`);
  }

  add(method: string, path: string): void {
    if (this.#known.size < MAX_KNOWN) this.#known.add(`${method} ${path}`);
  }
}
