import type { INestMicroservice } from '@nestjs/common';
import { untilAborted } from '@apix/contracts';
import type { Service } from '../service.js';

/** What a connected microservice has beyond its public interface. */
interface Terminable {
  setIsTerminated?(terminated: boolean): void;
}

/**
 * The microservices that the app itself connected, as one service: they listen when it starts,
 * and are closed when it stops, before the services whose messages they carry.
 */
export function microservicesService(microservices: readonly INestMicroservice[]): Service {
  let listening: Promise<unknown> = Promise.resolve();
  return {
    name: 'microservices',
    async start(signal) {
      listening = Promise.all(microservices.map((microservice) => microservice.listen()));
      await listening;
      await untilAborted(signal);
    },
    async ready() {
      await listening;
    },
    async stop() {
      await Promise.all(microservices.map(closeAlone));
    },
  };
}

/** Closes the transport without the hooks of the app, which `app.close()` runs later. */
async function closeAlone(microservice: INestMicroservice): Promise<void> {
  (microservice as Terminable).setIsTerminated?.(true);
  await microservice.close();
  // The app closes its microservices again; not every transport takes that.
  Object.defineProperty(microservice, 'close', {
    value: () => Promise.resolve(),
    configurable: true,
    writable: true,
  });
}
