import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** Requests that go on until they are told to stop, several at once, on connections that are kept. */
export class Load {
  /** How many were answered with 200. */
  answered = 0;
  /** What became of the others. */
  readonly lost: string[] = [];
  #isOver = false;
  readonly #workers: Promise<void>[];

  /** @param ca to be trusted, for `https:`. */
  constructor(
    private readonly url: string,
    private readonly ca?: readonly string[],
  ) {
    this.#workers = Array.from({ length: 8 }, () => this.#work());
  }

  /** Lets requests end that are under way. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
  }

  /** Waits for more answers. */
  async more(count: number): Promise<void> {
    const wanted = this.answered + count;
    while (this.answered < wanted && this.lost.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async #work(): Promise<void> {
    const agent =
      this.ca === undefined
        ? new HttpAgent({ keepAlive: true })
        : new HttpsAgent({ keepAlive: true, ca: [...this.ca], maxCachedSessions: 0 });
    for (let i = 0; !this.#isOver; i++) {
      // New connections all the time, beside those that stay.
      if (i % 20 === 19) agent.destroy();
      const outcome = await this.#ask(agent);
      if (outcome === '200') this.answered += 1;
      else this.lost.push(outcome);
    }
    agent.destroy();
  }

  #ask(agent: HttpAgent): Promise<string> {
    const request = this.ca === undefined ? httpRequest : httpsRequest;
    return new Promise((resolve) => {
      request(this.url, { agent }, (response) => {
        response.resume();
        response.on('end', () => resolve(String(response.statusCode)));
        response.on('error', (error) => resolve(codeOf(error)));
      })
        .on('error', (error) => resolve(codeOf(error)))
        .end();
    });
  }
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}
