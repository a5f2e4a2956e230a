import { Mistakes, OptionsError } from '@apix/contracts';
import { choice } from '@apix/contracts/internal';
import type { ConfigSettings } from '../config/config-settings.js';
import type { Fields } from '../config/fields.js';
import { registerSinkType } from '../config/sink-types.js';
import type { Format, SinkSpec } from '../sinks/sink.js';
import { rememberSink } from './document-sinks.js';
import type { ShippingSink } from './shipping-sink.js';

/** A type of network sink for configuration documents. */
export interface ShippingType<C, F extends string> {
  /** The `type` of the sink in documents, in any case. */
  readonly type: string;
  /** The formats that it can send; the first is the default. */
  readonly formats: readonly [Format, ...Format[]];
  /** The time formats that the destination understands; see `SinkSpec`. Default: all. */
  readonly timeFormats?: SinkSpec['timeFormats'];
  /** Reads its `options`; their mistakes are collected with the path. */
  readonly read: (fields: Fields, settings: ConfigSettings) => C;
  /** Checks that `read` cannot do. @throws OptionsError that lists every mistake. Default: no checks. */
  readonly check?: (config: C) => unknown;
  /** Creates the sink; called once for each logger that opens it. */
  readonly make: (config: C) => ShippingSink<F>;
}

/**
 * Registers a type of network sink for configuration documents. `DocumentSinks` has the metrics and the
 * health checks of those that are open.
 */
export function registerShippingType<C, F extends string = never>(type: ShippingType<C, F>): void {
  registerSinkType(type.type, (settings, entry) => {
    const config = entry.decodeOptions((fields) => type.read(fields, settings));
    const mistakes = new Mistakes();
    choice(type.formats).read(entry.format ?? type.formats[0], 'format', mistakes);
    mistakes.throwIfAny((found) => new OptionsError(`logx: sink ${type.type}`, found));
    type.check?.(config);
    return {
      kind: type.type,
      format: type.formats[0],
      ...(type.timeFormats && { timeFormats: type.timeFormats }),
      open(context) {
        const sink = type.make(config);
        const opened = sink.open(context);
        rememberSink(sink);
        return opened;
      },
    };
  });
}
