import { type TracerProvider, context, propagation, trace } from '@opentelemetry/api';
import type { OtelEnvironment } from './environment.js';
import type { Sdk } from './sdk.js';

/** The users of the registered globals, in the order in which they registered. */
const users: { readonly provider: TracerProvider | undefined }[] = [];
const undo: (() => void)[] = [];

/**
 * Registers a provider, a context manager and the propagators of OTEL_PROPAGATORS as the global ones, each
 * only where the process has none.
 *
 * @param provider undefined: spans are not made, but traces are passed on.
 * @returns a function that undoes it, once nothing else relies on it.
 */
export function shareGlobals(
  sdk: Sdk,
  provider: TracerProvider | undefined,
  environment: OtelEnvironment,
): () => void {
  // Why: docs/decisions/0264
  const user = { provider };
  users.push(user);
  registerContext(sdk);
  registerPropagation(sdk, environment);
  if (provider !== undefined && !hasTracerProvider()) trace.setGlobalTracerProvider(provider);
  return () => {
    const index = users.indexOf(user);
    if (index < 0) return;
    users.splice(index, 1);
    if (provider !== undefined && isGlobal(provider)) {
      trace.disable();
      const next = users.find((it) => it.provider !== undefined)?.provider;
      if (next !== undefined) trace.setGlobalTracerProvider(next);
    }
    if (users.length === 0) for (const step of undo.splice(0)) step();
  };
}

function registerContext({ hooks }: Sdk): void {
  if (hasContextManager()) return;
  const manager = new hooks.AsyncLocalStorageContextManager().enable();
  if (!context.setGlobalContextManager(manager)) return;
  undo.push(() => {
    const key = Symbol('apix.probe');
    const isOurs = context.with(
      context.active().setValue(key, true),
      () => manager.active().getValue(key) === true,
    );
    if (isOurs) context.disable();
  });
}

function registerPropagation({ core }: Sdk, environment: OtelEnvironment): void {
  if (propagation.fields().length > 0) return;
  const propagators = environment.propagators({ core });
  if (propagators.length === 0) return;
  const all = new core.CompositePropagator({ propagators });
  if (!propagation.setGlobalPropagator(all)) return;
  const fields = String(all.fields());
  undo.push(() => {
    if (String(propagation.fields()) === fields) propagation.disable();
  });
}

/** A span is active inside `context.with` only with a context manager. */
export function hasContextManager(): boolean {
  const key = Symbol('apix.probe');
  return (
    context.with(context.active().setValue(key, true), () => context.active().getValue(key)) ===
    true
  );
}

/** The proxy of the API, which delegates to a provider once one is registered. */
interface StandIn {
  getDelegate?(): TracerProvider;
  getDelegateTracer?(name: string): object | undefined;
}

function hasTracerProvider(): boolean {
  const global = trace.getTracerProvider() as StandIn;
  return global.getDelegateTracer === undefined || global.getDelegateTracer('apix') !== undefined;
}

function isGlobal(provider: TracerProvider): boolean {
  return (trace.getTracerProvider() as StandIn).getDelegate?.() === provider;
}
