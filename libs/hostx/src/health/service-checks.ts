import type { HealthCheck } from '@apix/contracts';
import { HostError } from '../errors.js';
import type { HostStatus, ServiceStatus } from '../state/transitions.js';

/**
 * A check for each service of a host that it has begun to start: whether the service can be used.
 * One that restarts fails readiness and never liveness: a restart of the instance would not help.
 */
export function serviceChecks(state: () => HostStatus): readonly HealthCheck[] {
  const byName = onceATurn(() => new Map(state().services.map((status) => [status.name, status])));
  return state()
    .services.filter(({ state: phase }) => phase !== 'waiting')
    .map(({ name }) => ({
      name: `service ${name}`,
      affects: 'ready',
      check: () => {
        const status = byName().get(name);
        const problem = status === undefined ? null : problemOf(status);
        if (problem !== null) throw new HostError(problem);
      },
    }));
}

/** Reads once for all that ask in one turn: the checks of one probe, of which each asks. */
function onceATurn<T>(read: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => {
    if (known === null) {
      known = { value: read() };
      queueMicrotask(() => (known = null));
    }
    return known.value;
  };
}

/** The reason why a service cannot be used; null if it can. */
function problemOf({ state, attempt, lastError }: ServiceStatus): string | null {
  switch (state) {
    case 'ready':
    case 'completed':
      return null;
    case 'starting':
      // Until a restarted service is ready, what ended it is still worth knowing.
      return attempt === 0 ? 'starting' : `restarting: ${lastError?.message}`;
    case 'backoff':
      return `restarting: ${lastError?.message}`;
    case 'failed':
      return `failed: ${lastError?.message}`;
    case 'waiting':
    case 'stopping':
    case 'stopped':
    case 'abandoned':
      return state;
  }
}
