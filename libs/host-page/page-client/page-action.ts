/** An action of the page, for those who pass its guards. */
export class PageAction {
  readonly #url: URL;
  #isLookedUp = false;

  /** @param base the folder of the page. */
  constructor(base: URL, name: string) {
    this.#url = new URL(`actions/${name}`, base);
  }

  /**
   * Looks up once whether this viewer may do it.
   *
   * @param isOffered whether some viewers may.
   * @param allow called if this one is among them.
   */
  whenAllowed(isOffered: boolean, allow: () => void): void {
    if (this.#isLookedUp || !isOffered) return;
    this.#isLookedUp = true;
    void this.#isAllowed().then((isAllowed) => isAllowed && allow());
  }

  async #isAllowed(): Promise<boolean> {
    try {
      return (await fetch(`${this.#url.href}/may`)).ok;
    } catch {
      return false;
    }
  }

  /** Asks for it; returns what to say about that. */
  async ask(params: Readonly<Record<string, string>>, done: string): Promise<string> {
    const query = new URLSearchParams(params);
    return asked(new URL(`?${query.toString()}`, this.#url), done);
  }
}

/** Asks for something that the page can have done; returns what to say about that. */
export async function asked(url: URL, done: string): Promise<string> {
  try {
    const { ok, status } = await fetch(url, { method: 'POST' });
    return ok ? done : `refused with status ${status}`;
  } catch {
    return 'no answer; look at the events';
  }
}
