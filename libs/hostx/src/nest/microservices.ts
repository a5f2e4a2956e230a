import type { INestMicroservice } from '@nestjs/common';
import { untilAborted } from '@apix/contracts';
import type { Service } from '../service.js';
import type { BackgroundWork } from './background/background-work.js';
import { closeAlone } from './patches/app-close.js';

/**
 * The microservices that the app itself connected, as one service: they listen when it starts,
 * and are closed when it stops, before the services whose messages they carry.
 *
 * @param microservices none: the app's main listens and closes them itself.
 * @param background waits for the messages under way; they are closed whether it fails or not
 * @param onClosed gets what undoes the close of one, to be called once the app has closed.
 */
export function microservicesService(
  microservices: readonly INestMicroservice[],
  background: BackgroundWork,
  onClosed: (undo: () => void) => void = () => {},
): Service {
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
    async stop(deadline) {
      try {
        await background.drainMessages(deadline);
      } finally {
        await Promise.all(microservices.map(async (one) => onClosed(await closeAlone(one))));
      }
    },
  };
}
