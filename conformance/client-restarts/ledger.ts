/** What became of the calls of one kind. */
export class Ledger {
  asked = 0;
  readonly #had = new Map<string, number>();
  readonly #answered = new Set<string>();
  readonly #failures = new Map<string, string>();

  /** @param kind begins every id. */
  constructor(readonly kind: string) {}

  nextId(): string {
    this.asked += 1;
    return `${this.kind}-${this.asked}`;
  }

  /** The last process has had a call. */
  had(id: string): void {
    this.#had.set(id, (this.#had.get(id) ?? 0) + 1);
  }

  answered(id: string): void {
    this.#answered.add(id);
  }

  failed(id: string, reason: string): void {
    this.#failures.set(id, reason);
  }

  get failures(): number {
    return this.#failures.size;
  }

  /** Ids that the last process has had more than once. */
  get repeated(): number {
    return [...this.#had.values()].filter((times) => times > 1).length;
  }

  /** Ids that were answered, though the last process has not had them. */
  get invented(): number {
    return [...this.#answered].filter((id) => !this.#had.has(id)).length;
  }

  /** The commonest reasons of failures. */
  reasons(): string {
    const counts = new Map<string, number>();
    for (const reason of this.#failures.values()) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    return [...counts].map(([reason, count]) => `${count} × ${reason}`).join(', ');
  }
}
