import { onAbort } from '@apix/contracts';
import { retryDelay, type ShippingContext } from '@apix/logx/shipping';
import type { Batch } from '../bulk/batch.js';
import { refusedText } from '../bulk/refused-text.js';
import type { Settings } from '../config/resolve-config.js';
import type { Account } from '../queue/account.js';
import type { Backlog, Entry } from '../queue/backlog.js';
import type { Delivered, Delivery } from './delivery.js';

/** While events wait on disk because the cluster is down, it is tried at least this often, with one batch. */
const MAX_PAUSE_MS = 2_000;
/** The pause while the credentials are refused, because many failed attempts in a row may lock an account. */
const DENIED_PAUSE_MS = 30_000;

/** Takes batches from the backlog, delivers them, and counts the results. */
export class Sender {
  readonly #abort = new AbortController();
  readonly #settled = new Set<() => void>();
  #underWay = 0;
  /** How many deliveries in a row left events that the cluster did not accept. */
  #outages = 0;
  #isPaused = false;
  #cancelPause = (): void => {};

  constructor(
    private readonly settings: Settings,
    private readonly account: Account,
    private readonly backlog: Backlog,
    private readonly delivery: Delivery,
    private readonly context: ShippingContext,
  ) {}

  /** Whether the cluster is down, so that new events stay on disk until it is tried again. */
  get isWaitingForCluster(): boolean {
    return this.#outages > 0 && this.#isPaused;
  }

  /** Tries a cluster that is down immediately, without waiting for the next attempt. */
  askAgain(): void {
    this.#cancelPause();
    this.#isPaused = false;
    this.pump();
  }

  /** Sends batches that wait, up to the allowed number of concurrent requests. */
  pump(): void {
    while (this.#underWay < this.#limit()) {
      const entry = this.backlog.take();
      if (entry === undefined) return;
      this.#underWay++;
      void this.#send(entry);
    }
  }

  /** Resolves when the condition holds or the signal aborts; the condition is checked after each batch. */
  async until(holds: () => boolean, signal: AbortSignal): Promise<void> {
    if (holds() || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!holds() && !signal.aborted) return;
        this.#settled.delete(look);
        forget();
        resolve();
      };
      this.#settled.add(look);
      const forget = onAbort(signal, look);
    });
  }

  /** Aborts the requests in progress; their events are left on disk, or dropped if there is no spool. */
  async close(): Promise<void> {
    this.#isPaused = true;
    this.#abort.abort(new Error('the sink is closed'));
    await this.until(() => this.#underWay === 0, new AbortController().signal);
    this.#cancelPause();
  }

  #limit(): number {
    if (this.#isPaused) return 0;
    return this.account.spooled > 0 || this.#outages > 0 ? 1 : this.settings.concurrency;
  }

  async #send(entry: Entry): Promise<void> {
    const batch = await this.#load(entry);
    if (batch !== undefined) {
      if (entry.isRetry === true) this.account.shipping.retried += entry.count;
      const retries = this.#outages > 0 ? 0 : this.settings.maxRetries;
      const { signal } = this.#abort;
      this.#book(entry, batch, await this.delivery.deliver(batch, retries, signal));
    }
    this.#underWay--;
    for (const look of this.#settled) look();
    this.pump();
  }

  async #load(entry: Entry): Promise<Batch | undefined> {
    try {
      return await this.backlog.load(entry);
    } catch (cause) {
      this.backlog.settle(entry);
      this.account.shipping.failed += entry.count;
      this.context.report(`lost ${entry.count} events that cannot be read from the spool`, cause);
      return undefined;
    }
  }

  #book(entry: Entry, batch: Batch, { sent, refused, rest }: Delivered): void {
    const { shipping } = this.account;
    shipping.sent += sent;
    shipping.failed += refused.length;
    if (refused.length > 0) this.context.report(refusedText(refused, batch.count));
    if (rest === undefined) {
      this.#outages = 0;
      this.backlog.settle(entry);
    } else if (this.settings.spool !== undefined && this.backlog.giveBack(entry, rest)) {
      this.#waitForCluster();
    } else {
      this.backlog.settle(entry);
      if (this.#abort.signal.aborted) {
        shipping.drop(rest.count, 'deadline');
      } else {
        shipping.failed += rest.count;
        const reason = this.delivery.trouble ?? 'the nodes are busy';
        this.context.report(`${rest.count} of ${batch.count} events not accepted: ${reason}`);
      }
    }
  }

  #waitForCluster(): void {
    this.#outages++;
    if (this.#outages === 1 && !this.#abort.signal.aborted) {
      this.context.report(`events wait on disk: ${this.delivery.trouble ?? 'the nodes are busy'}`);
    }
    this.#isPaused = true;
    this.#cancelPause();
    const delay = retryDelay(this.#outages, this.settings.retryDelayMs);
    // The timer does not keep the process alive: all events that wait are on disk.
    const pauseMs = this.delivery.isDenied ? DENIED_PAUSE_MS : Math.min(delay, MAX_PAUSE_MS);
    this.#cancelPause = this.context.idleClock.after(pauseMs, () => this.askAgain());
  }
}
