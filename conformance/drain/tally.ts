/** What a load has seen. */
export class Tally {
  answered = 0;
  failed = 0;
  /** How often a stream was told to go and connected again. */
  moved = 0;
  readonly #underWay = new Set<{ readonly since: number }>();
  readonly #reasons = new Map<string, number>();

  /** Counts a request: answered, where it is answered as expected, or failed. */
  async request(kind: string, expected: string, answer: Promise<string>): Promise<void> {
    const request = { since: Date.now() };
    this.#underWay.add(request);
    const said = await answer;
    this.#underWay.delete(request);
    if (said === expected) this.answered++;
    else this.fail(`${kind}: ${said}`);
  }

  /** Whether a request is under way that began before a moment. */
  isWaitingSince(moment: number): boolean {
    return [...this.#underWay].some(({ since }) => since < moment);
  }

  fail(reason: string): void {
    this.failed++;
    this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
  }

  /** How a stream ended: 'told to go', 'done' at the end of the load, or a failure. */
  stream(kind: string, ended: string): void {
    if (ended === 'told to go') this.moved++;
    else if (ended !== 'done') this.fail(`${kind}: ${ended}`);
  }

  /** The commonest failures, for people. */
  reasons(): string {
    return [...this.#reasons]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 4)
      .map(([reason, count]) => `${count} × ${reason}`)
      .join(', ');
  }
}
