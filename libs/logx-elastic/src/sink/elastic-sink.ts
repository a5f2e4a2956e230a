import { type SinkOptions, TIME_FORMATS, type TimeFormat } from '@apix/logx/core';
import { ShippingSink, type ShippingStats } from '@apix/logx/shipping';
import type { ElasticConfig } from '../config/elastic-config.js';
import { resolveConfig } from '../config/resolve-config.js';
import { ElasticShipper } from '../send/elastic-shipper.js';

/**
 * The sink options of logx that apply to this sink. Times are always RFC 3339, with whole seconds if
 * another layout is set, here or for the logger.
 */
export type ElasticSinkOptions = Pick<SinkOptions, 'minLevel' | 'maxLevel' | 'timeFormat'>;

/** The time formats that Elasticsearch accepts for `@timestamp` by default; ecs-logging requires them. */
// Why: docs/decisions/0251
export const ELASTIC_TIMES: readonly [TimeFormat, ...TimeFormat[]] = [
  'TimeRFC3339',
  ...TIME_FORMATS.filter((name) => /^TimeRFC3339./.test(name)),
];

/** A sink that sends events to Elasticsearch. */
export type ElasticSink = ShippingSink<'recovered' | 'spooled'>;

/**
 * Counts every event by its state. At any moment `logged + recovered` is the sum of `sent`, `failed`,
 * `dropped`, `queued` and `spooled`.
 */
export interface ElasticStats extends ShippingStats {
  /** Events that an earlier process left in the spool. */
  readonly recovered: number;
  /** Events that are only on disk. */
  readonly spooled: number;
}

/**
 * Creates a sink that sends events to Elasticsearch in bulk requests. It immediately starts to send
 * events that earlier processes left in the spool.
 *
 * @throws OptionsError that lists every mistake in the config; Error if the spool cannot be used.
 */
export function elasticSink(config: ElasticConfig, options: ElasticSinkOptions = {}): ElasticSink {
  const settings = resolveConfig(config);
  return new ShippingSink({
    packageName: 'logx-elastic',
    kind: 'elasticsearch',
    target: settings.index,
    format: 'ecs',
    timeFormats: ELASTIC_TIMES,
    metrics: { prefix: 'apix.logx.elastic', attributes: { index: settings.index } },
    ship: (context) => new ElasticShipper(settings, config.client, context),
    sinkOptions: options,
    health: settings.health,
    onError: config.onError,
    clock: config.clock,
  });
}
