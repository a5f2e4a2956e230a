import type { Clock } from '@apix/contracts';

const FIRST_REST_MS = 1_000;
const MAX_REST_MS = 30_000;

/** A node of the cluster. */
export interface Node {
  readonly url: URL;
}

class NodeState implements Node {
  failures = 0;
  /** Until then the node is used only if all others are paused too. */
  restsUntil = 0;
  /** Until then no request must be sent to the node: it answered with `Retry-After`. */
  closedUntil = 0;

  constructor(readonly url: URL) {}
}

/** Selects the nodes in turn. A node that fails is paused; each further failure in a row doubles the pause. */
export class Nodes {
  readonly #nodes: readonly NodeState[];
  #next = 0;

  constructor(
    urls: readonly URL[],
    private readonly clock: Clock,
  ) {
    this.#nodes = urls.map((url) => new NodeState(url));
  }

  /** The next node that is not paused; undefined if all are. */
  next(): Node | undefined {
    const now = this.clock.now();
    for (let tried = 0; tried < this.#nodes.length; tried++) {
      const node = this.#nodes[this.#next]!;
      this.#next = (this.#next + 1) % this.#nodes.length;
      if (node.restsUntil <= now) return node;
    }
    return undefined;
  }

  /** The node to try when all are paused: the one whose pause ends first. */
  leastResting(): Node {
    return this.#nodes.reduce((one, other) => (other.restsUntil < one.restsUntil ? other : one));
  }

  /** For how long no node accepts requests according to `Retry-After`, in milliseconds. */
  closedForMs(): number {
    const opens = Math.min(...this.#nodes.map(({ closedUntil }) => closedUntil));
    return Math.max(0, opens - this.clock.now());
  }

  answered(node: Node): void {
    const state = node as NodeState;
    state.failures = 0;
    state.restsUntil = 0;
    state.closedUntil = 0;
  }

  failed(node: Node, retryAfterMs: number): void {
    const state = node as NodeState;
    const now = this.clock.now();
    const restMs = Math.min(FIRST_REST_MS * 2 ** state.failures, MAX_REST_MS);
    state.failures++;
    state.closedUntil = now + retryAfterMs;
    state.restsUntil = now + Math.max(restMs, retryAfterMs);
  }
}
