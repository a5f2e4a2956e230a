import { untilAborted } from '@apix/contracts/internal';
import type { Service } from '../service.js';

/**
 * A service that runs until aborted, and writes `<name> start`, `<name> abort` and `<name> stop`
 * into `log` as they happen. `over` replaces parts of it.
 */
export function probeService(name: string, log: string[], over: Partial<Service> = {}): Service {
  return {
    name,
    async start(signal) {
      log.push(`${name} start`);
      await untilAborted(signal);
      log.push(`${name} abort`);
    },
    stop() {
      log.push(`${name} stop`);
    },
    ...over,
  };
}
