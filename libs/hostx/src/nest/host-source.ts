import { type HealthCheck, HealthSource, type MetricReading, MetricSource } from '@apix/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { HostError } from '../errors.js';
import { serviceChecks } from '../health/service-checks.js';
import { HostRef } from './host-ref.js';

/** Reports the host's own state to health endpoints and meters. */
@Injectable()
@HealthSource()
@MetricSource()
export class HostSource implements HealthSource, MetricSource {
  constructor(@Inject(HostRef) private readonly host: HostRef) {}

  /** One check for the host and one for each service. None of them ever asks for a restart. */
  healthChecks(): readonly HealthCheck[] {
    const phase: HealthCheck = {
      name: 'host',
      affects: 'ready',
      check: () => {
        const { phase, reason } = this.host.state;
        if (phase === 'running') return;
        throw new HostError(`hostx: the host is ${phase}${reason ? `: ${reason}` : ''}`);
      },
    };
    return [phase, ...serviceChecks(() => this.host.state)];
  }

  /** Names of the spec: `hostx.host.up` and, for each service, `hostx.service.restarts`. */
  metrics(): Iterable<MetricReading> {
    return this.host.metrics();
  }
}
