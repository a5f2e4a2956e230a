import type { INestMicroservice } from '@nestjs/common';
import { replaceMethod } from './replace-method.js';

/** The members of a connected microservice beyond its public interface. */
interface Terminable {
  setIsTerminated?(terminated: boolean): void;
}

/**
 * Closes the transport without the hooks of the app, which `app.close()` runs later, and keeps that
 * from closing it again, which not every transport takes. The returned function undoes the latter.
 */
export async function closeAlone(microservice: INestMicroservice): Promise<() => void> {
  (microservice as Terminable).setIsTerminated?.(true);
  await microservice.close();
  return replaceMethod(microservice, 'close', () => Promise.resolve());
}
