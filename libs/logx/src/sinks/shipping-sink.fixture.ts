import {
  customSink,
  type CustomSinkOptions,
  type Deadline,
  type Duration,
  METRIC_SOURCE,
  type MetricReading,
  type MetricSource,
  parseDuration,
  registerSinkType,
  type Sink,
  type SinkContext,
  type SinkSpec,
} from '../core/index.js';

/** How a test lets lines go out; a rejection is a failed request. */
export type Ship = (lines: readonly string[], signal?: AbortSignal) => Promise<void>;

/** What a package that sends events over the network would write: batches, drops, a deadline. */
class ShippingSink implements Sink, MetricSource {
  readonly [METRIC_SOURCE] = true as const;
  #queue: string[] = [];
  #dropped = 0;

  constructor(
    private readonly ship: Ship,
    private readonly queueSize: number,
    private readonly context: SinkContext,
  ) {}

  write(line: string): void {
    if (this.#queue.length >= this.queueSize) this.#dropped++;
    else this.#queue.push(line);
  }

  async flush(deadline?: Deadline): Promise<void> {
    const lines = this.#queue;
    this.#queue = [];
    if (lines.length === 0) return;
    try {
      await this.ship(lines, deadline?.signal);
    } catch (cause) {
      this.#dropped += lines.length;
      this.context.onError(new Error(`shipping: ${lines.length} events are lost`, { cause }));
    }
  }

  async close(deadline?: Deadline): Promise<void> {
    await this.flush(deadline);
    if (this.#dropped > 0) this.context.onError(new Error(`shipping: ${this.#dropped} dropped`));
  }

  *metrics(): Iterable<MetricReading> {
    const description = 'Events that never arrived';
    yield { name: 'shipping.dropped', kind: 'counter', value: this.#dropped, description };
  }
}

export interface ShippingOptions extends CustomSinkOptions {
  readonly ship: Ship;
  readonly queueSize?: number | undefined;
}

export function shippingSink({ ship, queueSize = 100, ...options }: ShippingOptions): SinkSpec {
  const open = (context: SinkContext): Sink => new ShippingSink(ship, queueSize, context);
  return customSink(open, { kind: 'shipping', format: 'ecs', ...options });
}

export interface ShippingEntry {
  readonly index: string;
  readonly queueSize: number | undefined;
  readonly interval: Duration;
}

/** Makes `type: shipping` a sink of configuration documents. */
export function registerShipping(ship: Ship): { readonly read: ShippingEntry[] } {
  const read: ShippingEntry[] = [];
  registerSinkType('shipping', (_settings, entry) => {
    const options = entry.decodeOptions((fields) => ({
      index: fields.text('index') ?? 'logs',
      queueSize: fields.amount('queueSize'),
      interval: fields.duration('interval') ?? parseDuration('5s'),
    }));
    read.push(options);
    return shippingSink({ ship, queueSize: options.queueSize });
  });
  return { read };
}
