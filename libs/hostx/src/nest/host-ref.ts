import type { MetricReading } from '@apix/contracts';
import { Injectable } from '@nestjs/common';
import { type Environment, defaultEnvironment } from '../environment.js';
import type { Host } from '../host/host-handle.js';
import { readingsOfHost } from '../host/host-readings.js';
import type { HostStatus } from '../state/host-phase.js';

/** The host as providers see it; available from the start, even before the host is built. */
@Injectable()
export class HostRef {
  #host: Host | null = null;
  #shutdownReason: string | null = null;

  /** `idle`, without services, until the host is built. */
  get state(): HostStatus {
    return this.#host?.state ?? { phase: 'idle', since: 0, services: [] };
  }

  /** As {@link Host.metrics}. */
  metrics(): Iterable<MetricReading> {
    return this.#host?.metrics() ?? readingsOfHost(this.state, []);
  }

  get environment(): Environment {
    return this.#host?.environment ?? defaultEnvironment();
  }

  /** Begins the shutdown and returns at once; before the host runs, it ends it right away. */
  shutdown(reason = 'shutdown'): void {
    if (this.#host === null) this.#shutdownReason ??= reason;
    else this.#host.shutdown(reason);
  }

  /** As {@link Host.reload}. Waits for the start, so do not await it inside a start. */
  reload(): Promise<void> {
    return this.#host?.reload() ?? Promise.resolve();
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
