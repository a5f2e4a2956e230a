import {
  type Clock,
  type Deadline,
  deadlineAfter,
  HEALTH_SOURCE,
  type HealthCheck,
  type HealthSource,
  METRIC_SOURCE,
  type MetricReading,
  type MetricSource,
} from '@apix/contracts';
import {
  idleClock,
  type Level,
  type Sink,
  type SinkContext,
  type SinkOptions,
  type SinkSpec,
  type TimeFormat,
} from '@apix/logx/core';
import type { ElasticConfig } from '../config/elastic-config.js';
import { resolveConfig, type Settings } from '../config/resolve-config.js';
import type { HttpClient } from '../wire/http-client.js';
import { NodeClient } from '../wire/node-client.js';
import { Account, type ElasticStats } from '../queue/account.js';
import { Backlog } from '../queue/backlog.js';
import { OpenBatch } from '../queue/open-batch.js';
import { eventsText } from '../report/events-text.js';
import { Reporter } from '../report/reporter.js';
import { BulkClient } from '../send/bulk-client.js';
import { Delivery } from '../send/delivery.js';
import { Sender } from '../send/sender.js';
import { Spool } from '../spool/spool.js';
import { readingsOf } from './readings.js';

/** What `flush` and `close` wait when they are given no deadline, in milliseconds. */
const DEFAULT_CLOSE_MS = 10_000;

/** What a sink of logx can be told, as far as it concerns this one. */
export type ElasticSinkOptions = Pick<SinkOptions, 'minLevel' | 'timeFormat'>;

/**
 * Ships events to Elasticsearch in bulk. It is a sink, and at the same time the spec of itself:
 * `createLogger({ sinks: [elastic] })`. Loggers may share it; it is closed with the last of them.
 */
export class ElasticSink implements Sink, SinkSpec, MetricSource, HealthSource {
  readonly [METRIC_SOURCE] = true as const;
  readonly [HEALTH_SOURCE] = true as const;
  // Why: docs/decisions/0072
  readonly kind = 'elasticsearch';
  readonly format = 'ecs';
  readonly minLevel?: Level;
  readonly timeFormat?: TimeFormat;
  readonly #settings: Settings;
  readonly #account = new Account();
  readonly #open: OpenBatch;
  readonly #backlog: Backlog;
  readonly #delivery: Delivery;
  readonly #sender: Sender;
  readonly #http: HttpClient;
  readonly #report: Reporter;
  /** Its timers do not keep the process alive. */
  readonly #idleClock: Clock;
  #cancelFlush: (() => void) | undefined;
  #loggers = 0;
  #closing: Promise<void> | undefined;

  /** Use `elasticSink(config)`. @throws as that does. */
  constructor(config: ElasticConfig, { minLevel, timeFormat }: ElasticSinkOptions) {
    const settings = resolveConfig(config);
    if (minLevel !== undefined) this.minLevel = minLevel;
    if (timeFormat !== undefined) this.timeFormat = timeFormat;
    this.#settings = settings;
    this.#idleClock = config.clock ?? idleClock;
    this.#report = new Reporter(settings.index, this.#idleClock);
    this.#report.onError = config.onError;
    this.#http = config.client ?? new NodeClient(settings.concurrency, settings.tls);
    this.#delivery = new Delivery(settings, new BulkClient(settings, this.#http));
    this.#open = new OpenBatch(settings);
    const spool = settings.spool && new Spool(settings.spool);
    this.#backlog = new Backlog(settings, this.#account, spool, (cause) =>
      this.#report.say(`cannot write to the spool ${settings.spool!.path}`, cause),
    );
    this.#sender = new Sender(
      settings,
      this.#account,
      this.#backlog,
      this.#delivery,
      this.#report,
      this.#idleClock,
    );
    process.on('beforeExit', this.#onIdle);
    if (spool) process.on('exit', this.#onExit);
    if (spool && spool.tornBytes > 0) {
      this.#report.say(
        `${spool.tornBytes} bytes in the spool are no whole batch, and are left out`,
      );
    }
    this.#sender.pump();
  }

  /** Events that Elasticsearch took. */
  get sent(): number {
    return this.#account.sent;
  }

  /** Events that Elasticsearch refused, or did not take however often it was tried. */
  get failed(): number {
    return this.#account.failed;
  }

  /** Events that there was no room for, or no time at the end. */
  get dropped(): number {
    return this.#report.drops;
  }

  /** Where every event is at this moment. */
  stats(): ElasticStats {
    const { logged, recovered, sent, failed, queued, spooled } = this.#account;
    const starts = [
      this.#backlog.since ?? Infinity,
      this.#open.count > 0 ? this.#open.since : Infinity,
    ];
    const oldestAgeMs = Math.max(0, this.#settings.clock.now() - Math.min(...starts));
    const { dropped } = this;
    return { logged, recovered, sent, failed, dropped, queued, spooled, oldestAgeMs };
  }

  /** Called by a logger that begins to use it. @throws Error once it is closed. */
  open({ onError }: SinkContext): Sink {
    if (this.#closing !== undefined) {
      throw new Error('logx-elastic: the sink is closed; make a new one for another logger');
    }
    this.#report.onError ??= onError;
    this.#loggers++;
    return {
      write: (line) => this.write(line),
      writeBytes: (line, length) => this.writeBytes(line, length),
      flush: (deadline) => this.flush(deadline),
      close: async (deadline) =>
        --this.#loggers > 0 ? this.flush(deadline) : this.close(deadline),
    };
  }

  /** Takes one event, encoded as one line of JSON. Never blocks on the network, never throws. */
  write(line: string): void {
    const whole = line.endsWith('\n') ? line : `${line}\n`;
    if (this.#admits(whole.length)) this.#added(this.#open.add(whole));
  }

  /** The same for a line that is bytes already, its line break included. */
  writeBytes(line: Buffer, length: number): void {
    if (this.#admits(length)) this.#added(this.#open.addBytes(line, length));
  }

  /**
   * Resolves when what was logged so far is settled; with a spool also when it is on disk. No
   * deadline: 10 s.
   */
  async flush(deadline?: Deadline): Promise<void> {
    this.#seal();
    const newest = this.#backlog.newest;
    await this.#within(deadline, (signal) =>
      this.#sender.until(
        () => this.#backlog.isSafeUpTo(newest) || this.#sender.isWaitingForCluster,
        signal,
      ),
    );
  }

  /**
   * Sends what waits, until the deadline (no deadline: 10 s). With a spool, what is not sent then
   * is left for the next process. Further calls wait for the same end.
   *
   * @throws Error that says how many events were lost because the time was up.
   */
  close(deadline?: Deadline): Promise<void> {
    return (this.#closing ??= this.#close(deadline));
  }

  metrics(): Iterable<MetricReading> {
    return readingsOf(this.#settings.index, this.stats());
  }

  healthChecks(): readonly HealthCheck[] {
    const { health: affects, index } = this.#settings;
    return affects === undefined
      ? []
      : [{ name: `elasticsearch ${index}`, affects, check: () => this.check() }];
  }

  /** @throws Error while the cluster does not take events. */
  check(): void {
    const { trouble } = this.#delivery;
    if (trouble === undefined) return;
    const { queued, spooled } = this.#account;
    throw new Error(
      `logx-elastic: ${trouble}; ${eventsText(queued)} in memory, ${spooled} on disk`,
    );
  }

  /** Counts an event; true when there is room for a line of so many bytes. */
  #admits(bytes: number): boolean {
    this.#account.logged++;
    // The disk takes a batch that is not full yet.
    // Why: docs/decisions/0070
    if (this.#settings.spool !== undefined && !this.#hasRoomFor(bytes)) this.#seal();
    if (this.#closing !== undefined || !this.#hasRoomFor(bytes)) {
      this.#report.dropped(1);
      return false;
    }
    if (this.#open.isTooSmallFor(bytes)) this.#seal();
    return true;
  }

  #added(bytes: number): void {
    const account = this.#account;
    account.queued++;
    account.queuedBytes += bytes;
    account.volatile++;
    account.volatileBytes += bytes;
    if (this.#open.isFull) this.#seal();
    else this.#cancelFlush ??= this.#idleClock.after(this.#settings.flushIntervalMs, this.#seal);
  }

  #hasRoomFor(bytes: number): boolean {
    const { queueSize, queueBytes } = this.#settings;
    const { volatile, volatileBytes } = this.#account;
    return volatile < queueSize && volatileBytes + bytes <= queueBytes;
  }

  async #close(deadline?: Deadline): Promise<void> {
    const droppedBefore = this.dropped;
    this.#seal();
    if (this.#sender.isWaitingForCluster) this.#sender.askAgain();
    await this.#within(deadline, (signal) => this.#sender.until(() => this.#isAtRest(), signal));
    await this.#sender.close();
    this.#report.dropped(this.#backlog.close());
    this.#http.close?.();
    process.off('beforeExit', this.#onIdle);
    process.off('exit', this.#onExit);
    const lost = this.dropped - droppedBefore;
    this.#report.sayDrops();
    if (lost > 0) {
      throw new Error(`logx-elastic: ${eventsText(lost)} could not be sent before the end`);
    }
  }

  /** Everything is settled, or waits on disk for a cluster that is down. */
  #isAtRest(): boolean {
    const { queued, spooled } = this.#account;
    return queued + spooled === 0 || this.#sender.isWaitingForCluster;
  }

  async #within(
    deadline: Deadline | undefined,
    wait: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (deadline !== undefined) return wait(deadline.signal);
    const own = deadlineAfter(DEFAULT_CLOSE_MS, this.#settings.clock);
    await wait(own.signal);
    own.dispose();
  }

  /** Hands the open batch over. */
  readonly #seal = (): void => {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    if (this.#open.count === 0) return;
    const { since } = this.#open;
    this.#backlog.add(this.#open.take(), since);
    this.#sender.pump();
  };

  /** The process is about to end by itself: nothing is to wait for more events any longer. */
  readonly #onIdle = (): void => this.#seal();

  /** There is no time to send anything, but for the disk there is. */
  readonly #onExit = (): void => this.#seal();
}

/**
 * A sink that ships events to Elasticsearch. It begins to send what an earlier process left in
 * its spool at once.
 *
 * @throws RangeError that lists every mistake of the config; Error when the spool cannot be used.
 */
export function elasticSink(config: ElasticConfig, options: ElasticSinkOptions = {}): ElasticSink {
  return new ElasticSink(config, options);
}
