/** Calls that are under way, by path and method, each with what stops it. */
export class OpenCalls {
  readonly #controllers = new Map<string, AbortController>();
  readonly #listeners = new Set<() => void>();

  /** A call begins; one before it at the same path is stopped. */
  begin(path: string, method: string): AbortController {
    this.stop(path, method);
    const controller = new AbortController();
    this.#controllers.set(keyOf(path, method), controller);
    this.#changed();
    return controller;
  }

  /** A call has ended; of one that another has followed, nothing changes. */
  end(path: string, method: string, controller: AbortController): void {
    if (this.#controllers.get(keyOf(path, method)) !== controller) return;
    this.#controllers.delete(keyOf(path, method));
    this.#changed();
  }

  isOpen(path: string, method: string): boolean {
    return this.#controllers.has(keyOf(path, method));
  }

  stop(path: string, method: string): void {
    this.#controllers.get(keyOf(path, method))?.abort();
  }

  /** Returns what ends it. */
  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  #changed(): void {
    for (const changed of this.#listeners) changed();
  }
}

function keyOf(path: string, method: string): string {
  return `${method} ${path}`;
}
