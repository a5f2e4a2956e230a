/** Calls in progress, by path and method, each with the controller that stops it. */
export class OpenCalls {
  readonly #controllers = new Map<string, AbortController>();
  readonly #listeners = new Set<() => void>();

  /** Registers a call; stops an earlier one with the same path and method. */
  begin(path: string, method: string): AbortController {
    this.stop(path, method);
    const controller = new AbortController();
    this.#controllers.set(keyOf(path, method), controller);
    this.#changed();
    return controller;
  }

  /** Removes a call that has ended; does nothing if a later call has replaced it. */
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

  /** Returns a function that ends the subscription. */
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
