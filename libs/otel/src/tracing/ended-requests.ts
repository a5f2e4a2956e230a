import {
  SERVED_REQUESTS,
  type RequestFollower,
  type ServedOutcome,
  type ServedRequests,
} from '@apix/contracts';

/** Reports each request and call that has ended to those who follow, whether or not its span is sampled. */
export class EndedRequests implements ServedRequests {
  readonly [SERVED_REQUESTS] = true as const;
  readonly #followers = new Set<RequestFollower>();

  /** Whether it is worth the while to report. */
  get isFollowed(): boolean {
    return this.#followers.size > 0;
  }

  follow(follower: RequestFollower): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** @param durationMs in milliseconds. */
  report(name: string, durationMs: number, outcome: ServedOutcome): void {
    for (const follower of this.#followers) {
      try {
        follower(name, durationMs, outcome);
      } catch {
        // What looks at requests must not fail them.
      }
    }
  }
}
