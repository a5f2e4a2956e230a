import type { HostStatus } from '@apix/hostx';
import type { PageAction } from './page-action.js';

/** The part of a host that restarts its services. */
export interface RestartingHost {
  readonly state: HostStatus;
  restartService(name: string): Promise<void>;
}

/** Stops a service and starts it again: `?service=<name>`. The host refuses what cannot be restarted now. */
export function restartService(host: RestartingHost): PageAction {
  return {
    plan(query) {
      const service = query.get('service');
      if (service === null || !host.state.services.some(({ name }) => name === service)) {
        return undefined;
      }
      return {
        subject: service,
        text: 'restart by hand',
        run: () => host.restartService(service),
      };
    },
  };
}
