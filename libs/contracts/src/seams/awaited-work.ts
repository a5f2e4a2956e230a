import { isPromiseLike } from '../kind-of-value.js';

/** The functions whose frames mark work in a stack. */
const MARKS: readonly (string | null)[] = ['workUnderWay', 'beginWork'];

/** Files of Nest that await handlers, guards and pipes of the app. */
const NEST =
  /[\\/]@nestjs[\\/](?:core[\\/](?:router|interceptors|guards|pipes|helpers)|(?:microservices|websockets)[\\/]context)[\\/]/;

/**
 * Runs work that a stop waits for: a service, a job, a message, a hook. It is found again by
 * {@link isAwaitedByWork}.
 */
export async function workUnderWay(work: () => unknown): Promise<unknown> {
  // Not returned: only a function that awaits has a frame in the stack of what it awaits.
  const result = await work();
  return result;
}

/** The same for work that may end at once, and that returns what it has then. */
export function beginWork<T>(work: () => T): T {
  const result = work();
  return isPromiseLike(result) ? (workUnderWay(() => result) as T) : result;
}

/**
 * Whether work that a stop waits for awaits the call of this, and so would wait for itself if the call waited
 * for the stop. V8 keeps the chain of functions that await each other for stacks, so that this costs nothing until
 * it is called. Code that breaks the chain, such as an event emitter, is not recognised.
 */
export function isAwaitedByWork(): boolean {
  const sites = callSites();
  const here = sites[0]?.getFileName();
  return sites.some((site) => {
    const file = site.getFileName() ?? '';
    return NEST.test(file) || (file === here && MARKS.includes(site.getFunctionName()));
  });
}

/** The whole stack, the innermost frame first. */
function callSites(): readonly NodeJS.CallSite[] {
  const known = Object.getOwnPropertyDescriptors(Error);
  try {
    Error.stackTraceLimit = Infinity;
    Error.prepareStackTrace = (_, sites) => sites;
    const sites: unknown = new Error().stack;
    return Array.isArray(sites) ? (sites as NodeJS.CallSite[]) : [];
  } finally {
    if (known.prepareStackTrace === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    Object.defineProperties(Error, known);
  }
}
