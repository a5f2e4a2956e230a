import { type ModuleRef, NestApplication } from '@nestjs/core';
import { PolicyError } from '../../errors.js';

type Connect = (
  this: NestApplication,
  ...args: Parameters<NestApplication['connectMicroservice']>
) => ReturnType<NestApplication['connectMicroservice']>;

const GUARD = Symbol.for('apix.authz.HybridGuard');

/** What stands in for Nest's method, shared by every installed copy of this package. */
interface HybridGuard {
  /** Containers of the apps that import AuthzModule. */
  readonly containers: WeakSet<object>;
  /** How many of those apps are not closed yet. */
  apps: number;
  undo(): void;
}

type Patched = Record<'connectMicroservice', Connect & { readonly [GUARD]?: HybridGuard }>;

/**
 * Has `connectMicroservice` of this app throw when the microservice does not inherit the app's
 * configuration: Nest would run no global guard on it, silently, and let every call in.
 *
 * Nest leaves no trace of such a microservice that could be looked at later, and it may serve
 * before the app is initialised; so this wraps the method of Nest's class while such an app lives.
 *
 * @returns to be called when the app closes: with the last app the wrapper goes.
 */
export function guardHybridApp(moduleRef: ModuleRef): () => void {
  const prototype: Patched = NestApplication.prototype;
  const guard = prototype.connectMicroservice[GUARD] ?? wrap(prototype);
  guard.containers.add(containerOf(moduleRef));
  guard.apps += 1;
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    guard.apps -= 1;
    if (guard.apps === 0) guard.undo();
  };
}

function wrap(prototype: Patched): HybridGuard {
  const original = prototype.connectMicroservice;
  const containers = new WeakSet<object>();
  const connect: Connect = function (options, hybrid) {
    if (hybrid?.inheritAppConfig !== true && containers.has(containerOf(this))) {
      throw new PolicyError([
        'connectMicroservice: pass { inheritAppConfig: true } as its second argument; without ' +
          'it Nest runs no global guard on the microservice, and every call would be let in',
      ]);
    }
    return original.call(this, options, hybrid);
  };
  const guard: HybridGuard = {
    containers,
    apps: 0,
    undo: () => {
      // Another package may have wrapped this wrapper meanwhile, which then must stay.
      if (prototype.connectMicroservice[GUARD] === guard) prototype.connectMicroservice = original;
    },
  };
  prototype.connectMicroservice = Object.assign(connect, { [GUARD]: guard });
  return guard;
}

/** The application and ModuleRef alike keep Nest's container in a field of this name. */
function containerOf(holder: object): object {
  return (holder as { readonly container: object }).container;
}
