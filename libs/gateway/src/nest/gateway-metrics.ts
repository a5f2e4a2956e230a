import { type MetricReading, MetricSource } from '@apix/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../http/gateway.js';
import { GatewayUpstream } from './gateway-upstream.js';

/** The figures of the app's gateway. */
@Injectable()
@MetricSource()
export class GatewayMetrics implements MetricSource {
  constructor(
    @Inject(Gateway) private readonly gateway: Gateway,
    @Inject(GatewayUpstream) private readonly upstream: GatewayUpstream,
  ) {}

  *metrics(): Iterable<MetricReading> {
    const { active, served } = this.gateway.counts;
    yield {
      name: 'apix.gateway.requests.active',
      kind: 'gauge',
      value: active,
      description: 'REST requests under way',
    };
    for (const [status, value] of served) {
      yield {
        name: 'apix.gateway.requests',
        kind: 'counter',
        value,
        description: 'REST requests that have ended, by HTTP status',
        attributes: { status: String(status), transport: this.upstream.transport },
      };
    }
  }
}
