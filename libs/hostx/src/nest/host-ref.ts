import {
  type HealthCheck,
  HealthSource,
  type MetricReading,
  MetricSource,
  parseDuration,
} from '@apix/contracts';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { Environment, defaultEnvironment } from '../environment.js';
import { HostError } from '../errors.js';
import { serviceChecks } from '../health/service-checks.js';
import { DEFAULT_SHUTDOWN_TIMEOUT } from '../host/signals.js';
import type { Host } from '../host/host-handle.js';
import { readingsOfHost } from '../host/host-readings.js';
import { type ParentLink, parentLink } from '../processes/parent-link.js';
import type { ProcessStatus } from '../processes/process-channel.js';
import type { HostStatus } from '../state/transitions.js';
import type { HostxModuleOptions } from './hostx-options.js';
import { HOSTX_OPTIONS } from './tokens.js';

/** The host as providers see it; available from the start, even before the host is built. */
@Injectable()
export class HostRef {
  #host: Host | null = null;
  #shutdownReason: string | null = null;
  readonly #options: HostxModuleOptions;

  constructor(@Optional() @Inject(HOSTX_OPTIONS) options?: HostxModuleOptions) {
    this.#options = options ?? {};
  }

  /** `idle`, without services, until the host is built. */
  get state(): HostStatus {
    return this.#host?.state ?? { phase: 'idle', since: 0, services: [] };
  }

  /** As {@link Host.metrics}. */
  metrics(): Iterable<MetricReading> {
    return this.#host?.metrics() ?? readingsOfHost(this.state, []);
  }

  /** Until the host is built, that of HostxModule: options of `runHost` are not known before. */
  get environment(): Environment {
    if (this.#host !== null) return this.#host.environment;
    const { environment } = this.#options;
    return typeof environment === 'string'
      ? new Environment(environment)
      : (environment ?? defaultEnvironment());
  }

  /**
   * How long the entire teardown may take, in milliseconds; until the host is built, that of HostxModule.
   *
   * @throws RangeError for an option that is not a duration, as long as the host is not built.
   */
  get shutdownTimeout(): number {
    const { shutdownTimeout } = this.#options;
    return (
      this.#host?.shutdownTimeout ?? parseDuration(shutdownTimeout ?? DEFAULT_SHUTDOWN_TIMEOUT)
    );
  }

  /**
   * Begins the shutdown and returns at once; before the host runs, it ends it right away. Of several processes
   * all are stopped.
   */
  shutdown(reason = 'shutdown'): void {
    const link = parentLink();
    if (link !== null) link.shutdownAll(reason);
    else if (this.#host === null) this.#shutdownReason ??= reason;
    else this.#host.shutdown(reason);
  }

  /** As {@link Host.reload}, in all processes. Waits for the start, so do not await it inside a start. */
  reload(): Promise<void> {
    if (this.#host === null) return Promise.resolve();
    return parentLink()?.reloadAll() ?? this.#host.reload();
  }

  /**
   * Replaces the processes of the app one after the other, so that no request is lost: each by a new one, which
   * runs what is on the disk now, and the next only when that is ready. Resolves when all are replaced, or when
   * this process is, if that comes first.
   *
   * Rejects if a new process does not become ready, and the old ones continue; and in an app of one process.
   */
  restart(): Promise<void> {
    return (
      parentLink()?.restartAll() ??
      Promise.reject(
        new HostError('hostx: restart: the app runs in one process; set processes to 2 or more'),
      )
    );
  }

  /** As {@link Host.restartService}, in this process only. */
  restartService(name: string): Promise<void> {
    return (
      this.#host?.restartService(name) ??
      Promise.reject(new HostError('hostx: restartService: the host is idle; it must be running'))
    );
  }

  /** How all processes of the app are; none, in an app of one process. */
  processes(): Promise<readonly ProcessStatus[]> {
    return parentLink()?.statuses() ?? Promise.resolve([]);
  }

  /** Whether a runner has connected a host already. */
  get isBound(): boolean {
    return this.#host !== null;
  }

  /** For runners: connects the host that runs the app. */
  bind(host: Host): void {
    this.#host = host;
    if (this.#shutdownReason !== null) host.shutdown(this.#shutdownReason);
  }
}

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
    const link = parentLink();
    if (link === null) return [phase, ...serviceChecks(() => this.host.state)];
    // While another one has its place, the app is ready although this process stops.
    const own = link.isReplaced ? [] : [phase, ...serviceChecks(() => this.host.state)];
    return [...own, processesCheck(link)];
  }

  /** Names of the spec: `hostx.host.up` and, for each service, `hostx.service.restarts`. */
  metrics(): Iterable<MetricReading> {
    return this.host.metrics();
  }
}

/** Fails while too few of the processes of the app serve; a probe reaches any of them. */
function processesCheck(link: ParentLink): HealthCheck {
  return {
    name: 'processes',
    affects: 'ready',
    check: () => {
      const { ready, count, minReady } = link.status;
      if (ready >= minReady) return;
      throw new HostError(`hostx: ${ready} of ${count} processes are ready, not ${minReady}`);
    },
  };
}
