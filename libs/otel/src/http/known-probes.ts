import { isInfrastructurePath } from '@apix/contracts/internal';

/** So many are remembered, whatever paths an infrastructure endpoint serves. */
const MAX_KNOWN = 100;

/**
 * Which requests are for infrastructure endpoints, by method and path: those that the app has noted at its start,
 * and those that such an endpoint has answered before.
 */
// Why: docs/decisions/0143
export class KnownProbes {
  readonly #answered = new Set<string>();

  /** @param app of which paths are noted. Default: none are. */
  constructor(private readonly app: object = {}) {}

  has(method: string, path: string): boolean {
    if ((method === 'GET' || method === 'HEAD') && isInfrastructurePath(this.app, path))
      return true;
    return this.#answered.size > 0 && this.#answered.has(`${method} ${path}`);
  }

  add(method: string, path: string): void {
    if (this.#answered.size < MAX_KNOWN) this.#answered.add(`${method} ${path}`);
  }
}
