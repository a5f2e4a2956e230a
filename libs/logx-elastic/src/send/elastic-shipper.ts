import type { LogEvent } from '@apix/logx/core';
import { passesBounds, type Shipper, type ShippingContext } from '@apix/logx/shipping';
import type { Settings } from '../config/resolve-config.js';
import { Account } from '../queue/account.js';
import { Backlog } from '../queue/backlog.js';
import { OpenBatch } from '../queue/open-batch.js';
import { Spool } from '../spool/spool.js';
import type { HttpClient } from '../wire/http-client.js';
import { NodeClient } from '../wire/node-client.js';
import { BulkClient } from './bulk-client.js';
import { Delivery } from './delivery.js';
import { Sender } from './sender.js';

/** Sends events to Elasticsearch: collects them in batches, queues the batches, and sends them. */
export class ElasticShipper implements Shipper<'recovered' | 'spooled'> {
  readonly figures: Account['figures'];
  readonly #account: Account;
  readonly #open: OpenBatch;
  readonly #backlog: Backlog;
  readonly #delivery: Delivery;
  readonly #sender: Sender;
  readonly #http: HttpClient;
  #cancelFlush: (() => void) | undefined;
  /** The number of the batch with the latest fatal event. */
  #last = 0;

  /** @throws Error if the spool cannot be used. */
  constructor(
    private readonly settings: Settings,
    client: HttpClient | undefined,
    private readonly context: ShippingContext,
  ) {
    const { report } = context;
    this.#account = new Account(context.account);
    this.figures = this.#account.figures;
    this.#http = client ?? new NodeClient(settings.concurrency, settings.tls);
    this.#delivery = new Delivery(settings, new BulkClient(settings, this.#http), context.account);
    this.#open = new OpenBatch(settings);
    const spool = settings.spool && new Spool(settings.spool);
    this.#backlog = new Backlog(settings, this.#account, spool, (cause) =>
      report(`cannot write to the spool ${settings.spool!.path}`, cause),
    );
    this.#sender = new Sender(settings, this.#account, this.#backlog, this.#delivery, context);
    if (spool && spool.tornBytes > 0) {
      report(`ignored ${spool.tornBytes} bytes in the spool that are not a whole batch`);
    }
    this.#sender.pump();
  }

  get trouble(): string | undefined {
    return this.#delivery.trouble;
  }

  get since(): number | undefined {
    const open = this.#open.count > 0 ? this.#open.since : undefined;
    const backlog = this.#backlog.since;
    return open === undefined || backlog === undefined
      ? (open ?? backlog)
      : Math.min(open, backlog);
  }

  write(line: string, event?: LogEvent): void {
    const whole = line.endsWith('\n') ? line : `${line}\n`;
    if (passesBounds(event)) this.#takeLast(() => this.#open.add(whole));
    else if (this.#admits(whole.length)) this.#added(this.#open.add(whole));
  }

  writeBytes(line: Buffer, length: number, event?: LogEvent): void {
    if (passesBounds(event)) this.#takeLast(() => this.#open.addBytes(line, length));
    else if (this.#admits(length)) this.#added(this.#open.addBytes(line, length));
  }

  /**
   * With a spool, events on disk count as settled; while the cluster is down, only a fatal event that is
   * not on disk is waited for.
   */
  async flush(signal: AbortSignal): Promise<void> {
    this.#seal();
    const newest = this.#backlog.newest;
    const last = this.#last;
    await this.#sender.until(
      () =>
        this.#backlog.isSafeUpTo(newest) ||
        (this.#sender.isWaitingForCluster && this.#backlog.isSafe(last)),
      signal,
    );
  }

  /** With a spool, events that are not sent in time are left for the next process. */
  async close(signal: AbortSignal): Promise<void> {
    this.#seal();
    if (this.#sender.isWaitingForCluster) this.#sender.askAgain();
    await this.#sender.until(() => this.#isAtRest(), signal);
    await this.#sender.close();
    this.#backlog.close();
    this.#http.close?.();
  }

  onIdle(): void {
    this.#seal();
  }

  /** With a spool, the open batch is written to disk. */
  onExit(): void {
    if (this.settings.spool !== undefined) this.#seal();
  }

  get volatile(): number {
    return this.#account.volatile;
  }

  /** Whether there is room for a line of that many bytes; if not, the line is counted as dropped. */
  #admits(bytes: number): boolean {
    // Writing the open batch to disk makes room.
    // Why: docs/decisions/0070
    if (this.settings.spool !== undefined && !this.#hasRoomFor(bytes)) this.#seal();
    if (!this.#hasRoomFor(bytes)) {
      this.context.account.drop(1, 'full');
      return false;
    }
    if (this.#open.isTooSmallFor(bytes)) this.#seal();
    return true;
  }

  /** Queues a fatal event after those that wait, in its own batch, which the spool stores too. */
  // Why: docs/decisions/0246
  #takeLast(add: () => number): void {
    this.#seal();
    this.#counted(add());
    this.#seal({ passesBounds: true });
    this.#last = this.#backlog.newest;
  }

  #counted(bytes: number): void {
    const account = this.#account;
    account.shipping.queued++;
    account.queuedBytes += bytes;
    account.volatile++;
    account.volatileBytes += bytes;
  }

  #added(bytes: number): void {
    this.#counted(bytes);
    if (this.#open.isFull) this.#seal();
    else {
      const { flushIntervalMs } = this.settings;
      this.#cancelFlush ??= this.context.idleClock.after(flushIntervalMs, () => this.#seal());
    }
  }

  #hasRoomFor(bytes: number): boolean {
    const { queueSize, queueBytes } = this.settings;
    const { volatile, volatileBytes } = this.#account;
    return volatile < queueSize && volatileBytes + bytes <= queueBytes;
  }

  /** Whether all events are settled, or wait on disk because the cluster is down. */
  #isAtRest(): boolean {
    const { shipping, spooled } = this.#account;
    return shipping.queued + spooled === 0 || this.#sender.isWaitingForCluster;
  }

  /** Moves the open batch to the backlog. */
  #seal(how: { readonly passesBounds: boolean } = { passesBounds: false }): void {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#open.count === 0) return;
    const { since } = this.#open;
    this.#backlog.add(this.#open.take(), since, how);
    this.#sender.pump();
  }
}
