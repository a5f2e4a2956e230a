import { OtelError } from '../errors.js';
import { type TracedOptions, planCalls } from './call-plan.js';
import { classNameOf, ownMethods } from './class-methods.js';
import { type AnyMethod, isTracedMethod, tracedMethod } from './traced-method.js';

/** The options of {@link Traced} on a class, whose spans are named after their methods. */
type Decorator = ClassDecorator & MethodDecorator;

/**
 * Makes a span of each call of a method, or of all methods that a class itself declares, if the call is
 * part of a recorded trace. It may be placed above or below the decorators of Nest. The span lasts until
 * the result of the method is complete: a promise, an iteration, a subscription.
 *
 * @throws OtelError at the definition of the class, on a property that is not a method, and for a `name` on
 *   a class.
 */
export function Traced(options: TracedOptions = {}): Decorator {
  return (target: object, key?: PropertyKey, descriptor?: PropertyDescriptor): void => {
    if (key === undefined) return traceClass(target as NewableFunction, options);
    const type = typeof target === 'function' ? target : target.constructor;
    const place = `${classNameOf(type)}.${String(key)}`;
    if (typeof descriptor?.value !== 'function') {
      throw new OtelError([`@Traced() on ${place}: it is not a method`]);
    }
    if (isTracedMethod(descriptor.value as object)) return;
    descriptor.value = tracedMethod(descriptor.value as AnyMethod, planCalls(place, options));
  };
}

function traceClass(type: NewableFunction, options: TracedOptions): void {
  if (options.name !== undefined) {
    throw new OtelError([
      `@Traced() on ${classNameOf(type)}: a name is for a method; all spans of the class would have it`,
    ]);
  }
  const prototype = type.prototype as object;
  for (const [name, descriptor] of ownMethods(prototype)) {
    const method = descriptor.value as AnyMethod;
    if (isTracedMethod(method) || descriptor.configurable !== true) continue;
    const plan = planCalls(`${classNameOf(type)}.${name}`, options);
    Object.defineProperty(prototype, name, { ...descriptor, value: tracedMethod(method, plan) });
  }
}
