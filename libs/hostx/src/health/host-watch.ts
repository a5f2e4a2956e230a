import { HEALTH_SOURCE, type HealthCheck, type HealthSource } from '@apix/contracts';
import { HostError } from '../errors.js';
import type { Observer } from '../observer.js';
import type { HostPhase } from '../state/host-phase.js';

/**
 * Watches a host as one of its observers, and says of each of its services whether it can be
 * used. A service that restarts makes the instance unready, and never asks for a restart of it.
 */
export class HostWatch implements HealthSource {
  readonly [HEALTH_SOURCE] = true as const;
  readonly observer: Observer;
  /** By service: what is wrong with it, `null` when nothing is. */
  readonly #services = new Map<string, string | null>();

  /** @param onPhase told of each phase as it begins. */
  constructor(onPhase: (phase: HostPhase) => void) {
    const set = (service: string, wrong: string | null): void => {
      this.#services.set(service, wrong);
    };
    this.observer = {
      hostPhaseChanged: ({ to }) => onPhase(to),
      serviceStarting: ({ service, attempt }) => {
        // Until a restarted service is ready, what ended it stays worth telling.
        if (attempt === 0) set(service, 'starting');
      },
      serviceReady: ({ service }) => set(service, null),
      serviceRestarting: ({ service, error }) => set(service, `restarting: ${error.message}`),
      serviceFailed: ({ service, error }) => set(service, `failed: ${error.message}`),
      serviceStopping: ({ service }) => set(service, 'stopping'),
    };
  }

  healthChecks(): readonly HealthCheck[] {
    return [...this.#services].map(([service, wrong]) => ({
      name: `service ${service}`,
      affects: 'ready',
      check: () => {
        if (wrong !== null) throw new HostError(wrong);
      },
    }));
  }
}
