import 'reflect-metadata';
import { choice, FLAG, type OptionTable } from '@apix/contracts/internal';

export type HookKind = 'started' | 'stopping' | 'stopped' | 'reload';

/** The event for which a method is called. */
export type HookMark = { readonly kind: HookKind } | TaskMark;

/** A startup task. */
export interface TaskMark {
  readonly kind: 'task';
  readonly name: string;
  readonly options: StartupTaskOptions;
}

export type TaskPhase = 'beforeInit' | 'afterInit';

export interface StartupTaskOptions {
  /**
   * `beforeInit` runs before Nest's `onModuleInit` hooks, such as a migration that they rely
   * on; a plain `app.listen()` main cannot do that and runs it right after them.
   * Default: 'afterInit'.
   */
  readonly phase?: TaskPhase;
  /**
   * Of an app in several processes, only one runs it, and the others wait for that; each restart of all
   * processes runs it again, for it may be of another build. Default: false, every process runs it.
   */
  readonly once?: boolean;
}

/** The allowed values of the options of a startup task. */
export const TASK_OPTIONS = {
  phase: choice(['beforeInit', 'afterInit']),
  once: FLAG,
} satisfies OptionTable<StartupTaskOptions>;

interface MarkedMethod {
  readonly method: string | symbol;
  readonly mark: HookMark;
}

const HOOKS = 'apix:HostHooks';

function marks(mark: HookMark): MethodDecorator {
  return (target, method) => {
    const own = (Reflect.getOwnMetadata(HOOKS, target) ?? []) as readonly MarkedMethod[];
    Reflect.defineMetadata(HOOKS, [...own, { method, mark }], target);
  };
}

/** The marked methods of an instance, a base class's first; an overriding method counts once. */
export function markedMethods(instance: object): readonly MarkedMethod[] {
  const found: MarkedMethod[] = [];
  for (
    let at: unknown = Object.getPrototypeOf(instance);
    at !== null && at !== undefined && at !== Object.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    const own = (Reflect.getOwnMetadata(HOOKS, at) ?? []) as readonly MarkedMethod[];
    const fresh = own.filter(
      ({ method, mark }) =>
        !found.some((known) => known.method === method && known.mark.kind === mark.kind),
    );
    found.unshift(...fresh);
  }
  return found;
}

/**
 * Runs the method once, before any service starts: `(signal: AbortSignal)`. A failure ends the
 * host, which names the task.
 */
export function StartupTask(name: string, options: StartupTaskOptions = {}): MethodDecorator {
  return marks({ kind: 'task', name, options });
}

/** Runs when everything is ready: `(signal: AbortSignal)`. A failure stops the host. */
export function OnStarted(): MethodDecorator {
  return marks({ kind: 'started' });
}

/**
 * Runs when the shutdown has begun and nothing has stopped yet: `(deadline: Deadline, stop: StopInfo)`.
 * `stop.started` says whether there is anything to stop, for it runs after a start that was broken off, too.
 */
export function OnStopping(): MethodDecorator {
  return marks({ kind: 'stopping' });
}

/** Runs when everything has stopped, the Nest app included: `(deadline: Deadline)`. */
export function OnStopped(): MethodDecorator {
  return marks({ kind: 'stopped' });
}

/** Runs on a reload, by `HostRef.reload()` or SIGHUP: `(signal: AbortSignal)`. */
export function OnReload(): MethodDecorator {
  return marks({ kind: 'reload' });
}
