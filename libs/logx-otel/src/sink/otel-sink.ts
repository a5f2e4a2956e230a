import type { SinkOptions } from '@apix/logx/core';
import { ShippingSink, type ShippingStats } from '@apix/logx/shipping';
import type { OtelConfig } from '../config/otel-config.js';
import { resolveConfig } from '../config/resolve-config.js';
import { OtelShipper } from './otel-shipper.js';

/** How long `flush` and `close` take at most, in milliseconds, whatever their deadline is. */
const LIMIT_MS = 10_000;

/** The sink options of logx; the format of this sink is JSON. */
export type OtelSinkOptions = Pick<SinkOptions, 'minLevel' | 'async'>;

/** A sink of OpenTelemetry log records. */
export type OtelSink = ShippingSink;

/**
 * Where every event is. With a provider of other code, `sent` counts the events passed to it;
 * OpenTelemetry's exporter over HTTP does not report retries, so `retried` is 0 there.
 */
export type OtelStats = ShippingStats;

/**
 * A sink of OpenTelemetry log records: to the global provider, to the one that is given, or to
 * an OTLP endpoint.
 *
 * @throws OptionsError with every mistake of the config.
 */
export function otelSink(config: OtelConfig = {}, options: OtelSinkOptions = {}): OtelSink {
  const settings = resolveConfig(config);
  const { provider, endpoint, health } = settings;
  const target = endpoint?.endpoint ?? (provider === undefined ? 'global provider' : 'provider');
  return new ShippingSink({
    packageName: 'logx-otel',
    kind: 'otlp',
    target,
    metrics: { prefix: 'apix.logx.otel', attributes: { target } },
    ship: (context) => new OtelShipper(settings, context),
    sinkOptions: options,
    health,
    onError: config.onError,
    limitMs: LIMIT_MS,
  });
}
