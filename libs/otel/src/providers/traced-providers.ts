import { types } from 'node:util';
import {
  arrayOf,
  callable,
  checkedOptions,
  option,
  type OptionTable,
} from '@apix/contracts/internal';
import { OtelError } from '../errors.js';
import { planCalls } from './call-plan.js';
import { classNameOf, inheritedMethods } from './class-methods.js';
import { type AnyMethod, isTracedMethod, tracedMethod } from './traced-method.js';

/** A class of the app. */
export type ProviderClass = abstract new (...args: never[]) => object;

/**
 * Selects the providers whose methods create spans. A provider that one of the first three selects is
 * traced.
 */
export interface TracedProvidersOptions {
  /** These classes, and those that extend them. Default: none. */
  readonly classes?: readonly ProviderClass[] | undefined;
  /** Classes whose name matches one of these. Default: none. */
  readonly names?: readonly RegExp[] | undefined;
  /** Classes for which this is true; called once for each class, those of libraries included. Default: none. */
  readonly where?: ((type: ProviderClass) => boolean) | undefined;
  /**
   * Which methods of a chosen class. Default: all. Never any of the lifecycle hooks of Nest,
   * `then`, `toJSON`, `toString` and `valueOf`.
   */
  readonly methods?: ((method: string, type: ProviderClass) => boolean) | undefined;
}

const PROVIDERS_OPTIONS = {
  classes: arrayOf(callable<ProviderClass>()),
  names: arrayOf(option<RegExp>('a regular expression', (value) => value instanceof RegExp)),
  where: callable<NonNullable<TracedProvidersOptions['where']>>(),
  methods: callable<NonNullable<TracedProvidersOptions['methods']>>(),
} satisfies OptionTable<TracedProvidersOptions>;

/** The option `instrument` of `NestFactory.create`. */
export interface ProviderInstrument {
  readonly instanceDecorator: (instance: unknown) => unknown;
}

/**
 * Makes spans of the calls of chosen providers, controllers included, if a call is part of a recorded
 * trace. Each instance gets its own methods; the instance keeps its identity and its class.
 *
 * @throws OtelError for wrong options, and if nothing is selected.
 */
export function tracedProviders(options: TracedProvidersOptions): ProviderInstrument {
  // Why: docs/decisions/0265
  const {
    classes = [],
    names = [],
    where,
  } = checkedOptions(
    PROVIDERS_OPTIONS,
    options,
    (found) => new OtelError(found.map((mistake) => `tracedProviders: ${mistake}`)),
  );
  if (classes.length === 0 && names.length === 0 && where === undefined) {
    throw new OtelError(['tracedProviders: names no provider; give it classes, names or where']);
  }
  const plans = new WeakMap<object, PropertyDescriptorMap | null>();
  return {
    instanceDecorator: (instance) => {
      if (typeof instance !== 'object' || instance === null) return instance;
      // A trap of somebody else's proxy may do anything.
      if (types.isProxy(instance)) return instance;
      const prototype = Object.getPrototypeOf(instance) as object | null;
      if (prototype === null || prototype === Object.prototype) return instance;
      let plan = plans.get(prototype);
      if (plan === undefined) {
        plan = planOf(prototype, options);
        plans.set(prototype, plan);
      }
      if (plan !== null && Object.isExtensible(instance)) install(instance, plan);
      return instance;
    },
  };
}

/** Also called again for an instance that has them, by an alias of its provider. */
function install(instance: object, plan: PropertyDescriptorMap): void {
  for (const [name, descriptor] of Object.entries(plan)) {
    if (!Object.hasOwn(instance, name)) Object.defineProperty(instance, name, descriptor);
  }
}

function planOf(prototype: object, options: TracedProvidersOptions): PropertyDescriptorMap | null {
  const type = prototype.constructor as unknown;
  if (typeof type !== 'function' || !isChosen(type as ProviderClass, prototype, options)) {
    return null;
  }
  const { methods = () => true } = options;
  const plan: PropertyDescriptorMap = {};
  for (const [name, { value }] of inheritedMethods(prototype)) {
    const method = value as AnyMethod;
    if (isTracedMethod(method) || !methods(name, type as ProviderClass)) continue;
    const calls = planCalls(`${classNameOf(type)}.${name}`);
    const wrapper = tracedMethod(method, calls);
    plan[name] = { value: wrapper, writable: true, configurable: true, enumerable: false };
  }
  return plan;
}

function isChosen(
  type: ProviderClass,
  prototype: object,
  { classes = [], names = [], where }: TracedProvidersOptions,
): boolean {
  const name = classNameOf(type);
  return (
    classes.some(
      (it) => it === type || Object.prototype.isPrototypeOf.call(it.prototype as object, prototype),
    ) ||
    // String.search ignores where an earlier match with the flag g or y has ended.
    names.some((pattern) => name.search(pattern) >= 0) ||
    where?.(type) === true
  );
}
