import type { Attributes, Context, Meter, UpDownCounter } from '@opentelemetry/api';
import { Durations } from './durations.js';

/** The metrics of HTTP servers, by OpenTelemetry's semantic conventions. */
export class HttpMetrics {
  readonly #durations: Durations;
  readonly #active: UpDownCounter;

  constructor(meter: Meter) {
    this.#durations = new Durations(
      meter,
      'http.server.request.duration',
      'Duration of HTTP server requests',
    );
    this.#active = meter.createUpDownCounter('http.server.active_requests', {
      description: 'Number of active HTTP server requests',
      unit: '{request}',
    });
  }

  /** @param attributes the same for {@link ended}. */
  begun(attributes: Attributes, within: Context): void {
    this.#active.add(1, attributes, within);
  }

  ended(attributes: Attributes, within: Context): void {
    this.#active.add(-1, attributes, within);
  }

  took(milliseconds: number, attributes: Attributes, within: Context): void {
    this.#durations.record(milliseconds, attributes, within);
  }
}
