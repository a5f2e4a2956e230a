import type { SinkOptions } from '@apix/logx/core';
import { ShippingSink, type ShippingStats } from '@apix/logx/shipping';
import type { OtelConfig } from '../config/otel-config.js';
import { resolveConfig } from '../config/resolve-config.js';
import { OtelShipper } from './otel-shipper.js';

/** How long `flush` and `close` take at most, in milliseconds, even with a later deadline. */
const LIMIT_MS = 10_000;

/** The sink options of logx; the format of this sink is JSON. */
export type OtelSinkOptions = Pick<SinkOptions, 'minLevel' | 'maxLevel' | 'async'>;

/** A sink of OpenTelemetry log records. */
export type OtelSink = ShippingSink;

/**
 * Counts every event by its state. With a provider of the app, `sent` counts the events passed to it.
 * OpenTelemetry's exporter over HTTP does not report retries, so `retried` is 0 there.
 */
export type OtelStats = ShippingStats;

/**
 * Creates a sink that sends OpenTelemetry log records to an OTLP endpoint, to a given provider, or to
 * the global provider.
 *
 * @throws OptionsError that lists every mistake in the config.
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
