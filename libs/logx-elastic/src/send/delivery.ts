import { pause } from '@apix/contracts';
import { retryDelay, type ShippingAccount } from '@apix/logx/shipping';
import { type Batch, halvesOf, joined, pickEvents } from '../bulk/batch.js';
import { Nodes } from '../cluster/nodes.js';
import type { Settings } from '../config/resolve-config.js';
import type { BulkClient } from './bulk-client.js';

/** The result of a batch; each event is in one of the three parts. */
export interface Delivered {
  readonly sent: number;
  /** The reason for each refused event. */
  readonly refused: readonly string[];
  /** Events that no node accepted: all retries failed, or they wait until the credentials are corrected. */
  readonly rest: Batch | undefined;
}

/** Delivers batches to any node that accepts them. */
export class Delivery {
  readonly #nodes: Nodes;
  #trouble: string | undefined;
  #isDenied = false;

  constructor(
    private readonly settings: Settings,
    private readonly client: BulkClient,
    private readonly account: ShippingAccount,
  ) {
    this.#nodes = new Nodes(settings.urls, settings.clock);
  }

  /** Why the cluster did not accept the last request; undefined if it did. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Whether the last request was refused because of its credentials, so that events wait. */
  get isDenied(): boolean {
    return this.#isDenied;
  }

  /** Never throws. Once the signal aborts, the undelivered events are the rest. */
  async deliver(batch: Batch, maxRetries: number, signal: AbortSignal): Promise<Delivered> {
    const refused: string[] = [];
    let rest = batch;
    for (let retries = 0; ; retries++) {
      const verdict = await this.#ask(rest, signal);
      switch (verdict.kind) {
        case 'refused': {
          refused.push(...Array.from({ length: rest.count }, () => verdict.reason));
          return { sent: batch.count - refused.length, refused, rest: undefined };
        }
        case 'too-large': {
          if (rest.count > 1) {
            const halves = await this.#deliverHalves(rest, maxRetries, signal);
            const sent = batch.count - refused.length - rest.count + halves.sent;
            return { ...halves, sent, refused: [...refused, ...halves.refused] };
          }
          refused.push('HTTP 413, the event alone is too large');
          return { sent: batch.count - refused.length, refused, rest: undefined };
        }
        case 'taken': {
          refused.push(...verdict.refused);
          if (verdict.again.length === 0) {
            return { sent: batch.count - refused.length, refused, rest: undefined };
          }
          rest = pickEvents(rest, verdict.again);
          break;
        }
        case 'denied':
        case 'unavailable':
      }
      // Why: docs/decisions/0070
      if (retries >= maxRetries || signal.aborted || this.#isDenied) {
        return { sent: batch.count - refused.length - rest.count, refused, rest };
      }
      const delay = retryDelay(retries + 1, this.settings.retryDelayMs);
      await pause(delay, signal, this.settings.clock);
      if (!signal.aborted) this.account.retried += rest.count;
    }
  }

  /** Tries one node after the other until one answers, or all are down. */
  async #ask(batch: Batch, signal: AbortSignal) {
    const { clock } = this.settings;
    await pause(this.#nodes.closedForMs(), signal, clock);
    for (let node = this.#nodes.next() ?? this.#nodes.leastResting(); ;) {
      const verdict = await this.client.send(node.url, batch, signal);
      if (verdict.kind !== 'unavailable') {
        this.#nodes.answered(node);
        const denial = verdict.kind === 'taken' ? verdict.denial : undefined;
        this.#isDenied = verdict.kind === 'denied' || denial !== undefined;
        this.#trouble = 'reason' in verdict ? verdict.reason : denial;
        return verdict;
      }
      if (signal.aborted) return verdict;
      this.#isDenied = false;
      this.#trouble = `${node.url.host}: ${verdict.reason}`;
      this.#nodes.failed(node, verdict.retryAfterMs);
      const other = this.#nodes.next();
      if (other === undefined) return verdict;
      node = other;
    }
  }

  async #deliverHalves(batch: Batch, retries: number, signal: AbortSignal): Promise<Delivered> {
    const [left, right] = halvesOf(batch);
    const first = await this.deliver(left, retries, signal);
    const second = await this.deliver(right, retries, signal);
    return {
      sent: first.sent + second.sent,
      refused: [...first.refused, ...second.refused],
      rest:
        first.rest && second.rest ? joined(first.rest, second.rest) : (first.rest ?? second.rest),
    };
  }
}
