import type { Service } from '../service.js';
import type { ParentLink } from './parent-link.js';

/** The service, to be run in one process of several: in the others it is ready, and does nothing. */
export function singleService(
  service: Service,
  link: Pick<ParentLink, 'status' | 'whenLeader'>,
): Service {
  let hasBegun = false;
  const single: Service = {
    name: service.name,
    async start(signal, context) {
      hasBegun = link.status.isLeader;
      if (!hasBegun) await link.whenLeader(signal);
      if (signal.aborted) return;
      hasBegun = true;
      await service.start(signal, context);
    },
    async ready() {
      if (hasBegun) await service.ready?.();
    },
    async stop(deadline) {
      if (hasBegun) await service.stop?.(deadline);
    },
    beginDrain: (how) => (hasBegun ? service.beginDrain?.(how) : undefined),
  };
  if (service.metrics !== undefined) single.metrics = () => service.metrics!();
  return single;
}
