import { markClass } from '@apix/contracts/internal';
import type { INestApplication, INestMicroservice } from '@nestjs/common';
import type { DrainDelay } from '../drain-delay.js';
import type { HostBuilder } from '../host/host-builder.js';

/** Carried by a provider that adds to the host what decorators cannot say. */
export const HOST_EXTENSION = Symbol.for('apix.hostx.HostExtension');

/**
 * Called once, when the host is built: to add services created at run time, observers, tasks or hooks. Its
 * additions take the provider's place in the registration order.
 */
export interface HostExtension {
  readonly [HOST_EXTENSION]?: true;
  extend(builder: HostBuilder): void;
}

/** Marks a provider that adds to the host. The same as a property `[HOST_EXTENSION] = true`. */
export function HostExtension(): ClassDecorator {
  return markClass(HOST_EXTENSION);
}

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
