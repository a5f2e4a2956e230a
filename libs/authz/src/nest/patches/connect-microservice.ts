import { type ModuleRef, NestApplication } from '@nestjs/core';
import { PolicyError } from '../../errors.js';

type Connect = (
  this: NestApplication,
  ...args: Parameters<NestApplication['connectMicroservice']>
) => ReturnType<NestApplication['connectMicroservice']>;

type Dispose = (this: NestApplication) => Promise<void>;

const GUARD = Symbol.for('apix.authz.HybridGuard');

/** What stands in for Nest's methods, shared by every installed copy of this package. */
interface HybridGuard {
  /** Guards the app of this container; the same app once, however many modules ask for it. */
  add(container: object): void;
  /** The app is closed: with the last one the wrappers go. */
  release(container: object): void;
}

interface Patched {
  connectMicroservice: Connect & { readonly [GUARD]?: HybridGuard };
  /** What `close` of an application runs, and neither a microservice of it nor a part of it. */
  dispose: Dispose;
}

/** What ModuleRef and the application alike keep in a field `container`. */
interface Container {
  /** None for a microservice or a context that was created alone. */
  getHttpAdapterRef(): object | null | undefined;
}

/**
 * Has `connectMicroservice` of this app throw when the microservice does not inherit the app's
 * configuration: Nest would run no global guard on it, silently, and let every call in.
 *
 * Nest leaves no trace of such a microservice that could be looked at later, and it may serve
 * before the app is initialised; so this wraps the method of Nest's class until the app closes.
 * The hooks of its modules do not say when that is: Nest runs them as well when a connected
 * microservice or a selected context closes, and the app goes on.
 *
 * @returns for the module's destroy hook: releases what is not an application, and so has neither
 *   microservices nor an end of its own that could be seen.
 */
export function guardHybridApp(moduleRef: ModuleRef): () => void {
  const prototype = NestApplication.prototype as unknown as Patched;
  const guard = prototype.connectMicroservice[GUARD] ?? wrap(prototype);
  const container = containerOf(moduleRef);
  guard.add(container);
  return () => {
    if (!container.getHttpAdapterRef()) guard.release(container);
  };
}

function wrap(prototype: Patched): HybridGuard {
  const { connectMicroservice, dispose } = prototype;
  const guarded = new WeakSet<object>();
  const open = new WeakSet<object>();
  let apps = 0;
  const connect: Connect = function (options, hybrid) {
    if (hybrid?.inheritAppConfig !== true && guarded.has(containerOf(this))) {
      throw new PolicyError([
        'connectMicroservice: pass { inheritAppConfig: true } as its second argument; without ' +
          'it Nest runs no global guard on the microservice, and every call would be let in',
      ]);
    }
    return connectMicroservice.call(this, options, hybrid);
  };
  const guard: HybridGuard = {
    add: (container) => {
      guarded.add(container);
      if (open.has(container)) return;
      open.add(container);
      apps += 1;
    },
    release: (container) => {
      if (!open.delete(container)) return;
      apps -= 1;
      // Another package may have wrapped these wrappers meanwhile, which then must stay.
      if (apps > 0 || prototype.connectMicroservice[GUARD] !== guard) return;
      prototype.connectMicroservice = connectMicroservice;
      if (prototype.dispose === disposeAndRelease) prototype.dispose = dispose;
    },
  };
  const disposeAndRelease: Dispose = async function () {
    await dispose.call(this);
    guard.release(containerOf(this));
  };
  prototype.connectMicroservice = Object.assign(connect, { [GUARD]: guard });
  prototype.dispose = disposeAndRelease;
  return guard;
}

function containerOf(holder: object): Container {
  return (holder as { readonly container: Container }).container;
}
