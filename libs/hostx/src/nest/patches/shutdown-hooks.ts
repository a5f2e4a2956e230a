import type { INestApplication } from '@nestjs/common';
import { replaceMethod } from './replace-method.js';

/**
 * Makes `app.enableShutdownHooks()` do nothing: Nest's own signal handlers would destroy the app while its
 * services run. The returned function undoes it.
 */
export function withoutShutdownHooks(app: INestApplication): () => void {
  return replaceMethod(app, 'enableShutdownHooks', () => app);
}
