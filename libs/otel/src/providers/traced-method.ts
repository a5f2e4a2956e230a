import 'reflect-metadata';
import { thrownText } from '@apix/contracts';
import { context } from '@opentelemetry/api';
import { followCall } from '../spans/follow.js';
import type { OpenSpan } from '../spans/open-span.js';
import { type CallPlan, beginSpan, isTraced } from './call-plan.js';

/** A method of any class. */
export type AnyMethod = (this: unknown, ...args: unknown[]) => unknown;

const wrappers = new WeakSet<object>();

/** Whether a method makes spans already. */
export function isTracedMethod(method: object): boolean {
  return wrappers.has(method);
}

/**
 * A method that runs the given one in a span. It has the same name, length and metadata, also metadata that
 * is defined later: decorators and Nest cannot distinguish the two.
 */
export function tracedMethod(method: AnyMethod, plan: CallPlan): AnyMethod {
  function traced(this: unknown, ...args: unknown[]): unknown {
    const outer = context.active();
    if (!isTraced(plan, outer)) return method.apply(this, args);
    const open = beginSpan(plan, outer);
    if (plan.attributesOf && open.span.isRecording()) describe(plan, open, args);
    return followCall(open, plan, method, this, args);
  }
  // Metadata is looked up along the prototype chain.
  Object.setPrototypeOf(traced, method);
  for (const key of ['name', 'length'] as const) {
    Object.defineProperty(traced, key, { value: method[key], configurable: true });
  }
  for (const key of Reflect.getOwnMetadataKeys(method) as readonly unknown[]) {
    Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, method), traced);
  }
  wrappers.add(traced);
  return traced;
}

function describe(plan: CallPlan, { span }: OpenSpan, args: readonly unknown[]): void {
  try {
    span.setAttributes(plan.attributesOf!(...(args as never[])));
  } catch (error) {
    // A trace must not fail the traced work.
    span.addEvent('attributes failed', { 'exception.message': thrownText(error) });
  }
}
