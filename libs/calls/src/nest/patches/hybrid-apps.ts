import { replaceOn } from '@apix/contracts/internal';
import { type ModuleRef, NestApplication } from '@nestjs/core';

type Arguments = Parameters<NestApplication['connectMicroservice']>;
type Connected = ReturnType<NestApplication['connectMicroservice']>;
type Connect = (this: NestApplication, ...args: Arguments) => Connected;

/** Kept on the method, so that every installed copy of this package shares one patch. */
const PATCH = Symbol.for('apix.calls.HybridApps');

/** Called for a microservice of an app that does not inherit the app's configuration. */
export interface ApartListener {
  /** Called before it is connected. An error that it throws is thrown by `connectMicroservice`. */
  readonly refuse?: () => void;
  /** After it was connected. @param transport such as `TCP`; of a strategy the name of its class. */
  readonly onConnected?: (transport: string) => void;
}

/** What both `ModuleRef` and the application keep in a field `container`. */
interface Container {
  /** None for a microservice or a context that was created alone. */
  getHttpAdapterRef(): object | null | undefined;
}

interface Patch {
  /** The same owner of the same app has one listener, however many modules ask for it. */
  add(container: object, owner: string, listener: ApartListener): void;
  /** The app is closed: with the last one the wrappers go. */
  release(container: object): void;
}

interface Patched {
  connectMicroservice: Connect & { readonly [PATCH]?: Patch };
  /** What only `close` of an application runs, not that of its microservices or contexts. */
  dispose: (this: NestApplication) => Promise<void>;
}

/**
 * Calls `listener` for each microservice that is connected to this app without
 * `{ inheritAppConfig: true }`: nothing global applies to its handlers, neither guards nor what a package
 * has registered.
 *
 * Nest keeps no record of it that could be read later, and it may serve before the app is initialised; so
 * this wraps the method of Nest's class until the app closes. The hooks of its modules do not say when that
 * is: Nest runs them as well when a connected microservice or a selected context closes, and the app goes
 * on.
 *
 * @param owner of the listener, such as the name of a package.
 * @returns for the module's destroy hook: releases the listener where there is no application, and so
 *   neither microservices nor a visible end.
 */
// Why: docs/decisions/0090
export function onConnectedApart(
  moduleRef: ModuleRef,
  owner: string,
  listener: ApartListener,
): () => void {
  const prototype = NestApplication.prototype as unknown as Patched;
  const patch = prototype.connectMicroservice[PATCH] ?? wrap(prototype);
  const container = containerOf(moduleRef);
  patch.add(container, owner, listener);
  return () => {
    if (!container.getHttpAdapterRef()) patch.release(container);
  };
}

function wrap(prototype: Patched): Patch {
  const listeners = new WeakMap<object, Map<string, ApartListener>>();
  const open = new WeakSet<object>();
  let apps = 0;
  const patch: Patch = {
    add: (container, owner, listener) => {
      const found = listeners.get(container) ?? new Map<string, ApartListener>();
      listeners.set(container, found.set(owner, listener));
      if (open.has(container)) return;
      open.add(container);
      apps += 1;
    },
    release: (container) => {
      if (!open.delete(container)) return;
      apps -= 1;
      // If another package has wrapped these wrappers meanwhile, they must stay: they go on refusing.
      if (apps > 0 || prototype.connectMicroservice !== wrapped) return;
      for (const each of undo) each();
    },
  };
  const undo = [
    replaceOn(prototype, 'connectMicroservice', (connect) => {
      return function (...args) {
        const isApart = args[1]?.inheritAppConfig !== true;
        const called = isApart ? [...(listeners.get(containerOf(this))?.values() ?? [])] : [];
        for (const { refuse } of called) refuse?.();
        const microservice = connect.apply(this, args);
        for (const { onConnected } of called) onConnected?.(transportOf(microservice));
        return microservice;
      };
    }),
    replaceOn(prototype, 'dispose', (dispose) => {
      return async function () {
        await dispose.call(this);
        patch.release(containerOf(this));
      };
    }),
  ];
  const wrapped = Object.assign(prototype.connectMicroservice, { [PATCH]: patch });
  return patch;
}

function containerOf(holder: object): Container {
  return (holder as { readonly container: Container }).container;
}

/** `TCP` of Nest's `ServerTCP`; the name of the class of any other strategy. */
function transportOf(microservice: Connected): string {
  const { serverInstance = microservice } = microservice as { readonly serverInstance?: object };
  return serverInstance.constructor.name.replace(/^Server(?=.)/, '');
}
