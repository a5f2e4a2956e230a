import type { ModuleRef } from '@nestjs/core';
import { NestApplication } from '@nestjs/core';
import { PolicyError } from '../errors.js';

type Connect = (
  this: NestApplication,
  ...args: Parameters<NestApplication['connectMicroservice']>
) => ReturnType<NestApplication['connectMicroservice']>;

const GUARDED = Symbol.for('apix.authz.GuardedContainers');

interface Guarded extends Connect {
  /** Containers of the apps that import AuthzModule. */
  readonly [GUARDED]?: WeakSet<object>;
}

/**
 * Has `connectMicroservice` of this app throw when the microservice does not inherit the app's
 * configuration: Nest would run no global guard on it, silently, and let every call in.
 *
 * Nest leaves no trace of such a microservice that could be looked at later, and it may serve
 * before the app is initialised; so this wraps the method of Nest's class, once a process.
 */
export function guardHybridApp(moduleRef: ModuleRef): void {
  const prototype = NestApplication.prototype as unknown as { connectMicroservice: Guarded };
  const { connectMicroservice } = prototype;
  let guarded = connectMicroservice[GUARDED];
  if (guarded === undefined) {
    const containers = new WeakSet<object>();
    const connect: Connect = function (options, hybrid) {
      if (hybrid?.inheritAppConfig !== true && containers.has(containerOf(this))) {
        throw new PolicyError([
          'connectMicroservice: pass { inheritAppConfig: true } as its second argument; without ' +
            'it Nest runs no global guard on the microservice, and every call would be let in',
        ]);
      }
      return connectMicroservice.call(this, options, hybrid);
    };
    prototype.connectMicroservice = Object.assign(connect, { [GUARDED]: containers });
    guarded = containers;
  }
  guarded.add(containerOf(moduleRef));
}

/** The application and ModuleRef alike keep Nest's container in a field of this name. */
function containerOf(holder: object): object {
  return (holder as { readonly container: object }).container;
}
