import { markClass } from '@apix/contracts';
import type { INestApplication, INestMicroservice } from '@nestjs/common';
import type { DrainDelay } from '../drain-delay.js';

/** What the host offers to an attachment. */
export interface AttachContext {
  /** The delay of this run, for a transport that drains: `HostxModuleOptions.drain.delay`. */
  readonly drainDelay: DrainDelay;
}

/** Carried by a provider that must get at the application before `app.init()`. */
export const APP_ATTACHMENT = Symbol.for('apix.hostx.AppAttachment');

/**
 * Run by `runHost` after `NestFactory.create` and before `app.init()`, in registration order. Microservices
 * that it connects belong to it: the host neither listens on them nor closes them before `app.close()`; a
 * hosted service of the same package does.
 */
export interface AppAttachment {
  readonly [APP_ATTACHMENT]?: true;
  attach(app: INestApplication, host: AttachContext): void | Promise<void>;
  /**
   * The microservices that belong to it although they were connected before it was attached, by the
   * `configure` of `runHost`. Read after `attach`. Default: none.
   */
  readonly microservices?: readonly INestMicroservice[];
}

/** Marks a provider that is attached to the app. The same as a property `[APP_ATTACHMENT] = true`. */
export function AppAttachment(): ClassDecorator {
  return markClass(APP_ATTACHMENT);
}
