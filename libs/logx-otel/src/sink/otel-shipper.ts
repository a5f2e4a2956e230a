import { shownValue, thrownText } from '@apix/contracts';
import type { LogEvent } from '@apix/logx/core';
import type { Shipper, ShippingContext } from '@apix/logx/shipping';
import type { Settings } from '../config/resolve-config.js';
import { openOutlet } from '../outlet/open-outlet.js';
import type { Outlet } from '../outlet/outlet.js';
import { translateLine } from '../record/line-translator.js';

/** Passes events and lines to an outlet, which converts them to OpenTelemetry log records. */
export class OtelShipper implements Shipper {
  readonly #outlet: Outlet;

  constructor(
    private readonly settings: Settings,
    private readonly context: ShippingContext,
  ) {
    this.#outlet = openOutlet(settings, context);
  }

  get since(): number | undefined {
    return this.#outlet.since;
  }

  get trouble(): string | undefined {
    return this.#outlet.trouble;
  }

  /** The event is not encoded as a line first. */
  emit(event: LogEvent): void {
    this.#outlet.emit(event);
  }

  /** For events of other programs, in the `json` format. */
  write(line: string): void {
    const { timeFormat, attributes } = this.settings;
    let record;
    try {
      record = translateLine(line, timeFormat, attributes, this.context.clock.now());
    } catch (error) {
      const message = `cannot translate ${shownValue(line)}: ${thrownText(error)}`;
      throw new Error(message, { cause: error });
    }
    this.#outlet.take(record);
  }

  /** A provider of the app is flushed only after a fatal event. */
  flush(signal: AbortSignal): Promise<void> {
    return this.#outlet.flush(signal);
  }

  /** A given provider, and the global one, are not shut down. */
  close(signal: AbortSignal): Promise<void> {
    return this.#outlet.close(signal);
  }

  onIdle(): void {
    this.#outlet.onIdle();
  }
}
