import { type ApplicationConfig, NestApplication } from '@nestjs/core';

type Arguments = Parameters<NestApplication['connectMicroservice']>;
type Connected = ReturnType<NestApplication['connectMicroservice']>;
type Connect = (this: NestApplication, ...args: Arguments) => Connected;

/** Kept on the method, so that two copies of this package in a process share one patch. */
const PATCH = Symbol.for('apix.logx.HybridApps');

/** Called with the transport of a microservice, such as `TCP`. */
type Listener = (transport: string) => void;

interface Patch {
  readonly original: Connect;
  readonly listeners: Map<object, Listener>;
}

type Patched = Connect & { [PATCH]?: Patch };

/** What an application and a microservice of Nest have beyond their public types. */
interface Inside {
  readonly config?: object;
  readonly serverInstance?: object;
}

/**
 * Calls `listener` for each microservice that is connected to the app of this configuration and
 * does not inherit it: nothing global reaches its handlers, what this package has registered included. Nest
 * leaves no trace of it that a provider could look at, so this wraps the method that connects.
 *
 * @returns a function that gives the method back with the last app; where somebody has wrapped it
 * since, it stays in place and passes everything on.
 */
export function onConnectedApart(config: ApplicationConfig, listener: Listener): () => void {
  const prototype = NestApplication.prototype as unknown as { connectMicroservice: Patched };
  const patch = prototype.connectMicroservice[PATCH] ?? install(prototype);
  patch.listeners.set(config, listener);
  return () => {
    patch.listeners.delete(config);
    const isOnTop = prototype.connectMicroservice[PATCH] === patch;
    if (patch.listeners.size === 0 && isOnTop) prototype.connectMicroservice = patch.original;
  };
}

function install(prototype: { connectMicroservice: Patched }): Patch {
  const patch: Patch = { original: prototype.connectMicroservice, listeners: new Map() };
  const connect: Connect = function (...args) {
    const microservice = patch.original.apply(this, args);
    if (args[1]?.inheritAppConfig !== true) {
      const { config = {} }: Inside = this as object;
      patch.listeners.get(config)?.(transportOf(microservice));
    }
    return microservice;
  };
  // Why: docs/decisions/0229
  prototype.connectMicroservice = Object.assign(connect, { [PATCH]: patch });
  return patch;
}

/** `TCP` of Nest's `ServerTCP`; the name of the class of any other strategy. */
function transportOf(microservice: Connected): string {
  const { serverInstance = microservice }: Inside = microservice as object;
  return serverInstance.constructor.name.replace(/^Server(?=.)/, '');
}
