import 'reflect-metadata';
import type { HandlerRequirement } from './handler-requirement.js';

export type ControllerClass = abstract new (...args: never[]) => unknown;
export type Handler = (...args: never[]) => unknown;

/** The policy that a decorator sets on a handler, or on a controller's handlers. */
export type HandlerPolicy =
  | { readonly kind: 'requires'; readonly input: HandlerRequirement }
  | { readonly kind: 'public' }
  | { readonly kind: 'method'; readonly fullName: string };

/** Texts, so that two installed copies agree. */
const ON_HANDLER = 'apix:authz:policy';
const ON_CONTROLLER = 'apix:authz:default-policies';
const WRITTEN = 'apix:authz:written-policies';

/**
 * Puts a policy on a handler's function, where Nest's own metadata are, and notes it by the
 * method's name as well: what wraps or overrides the function later can lose the former only.
 */
export function writeHandlerPolicy(
  prototype: object,
  key: string | symbol,
  handler: object,
  policy: HandlerPolicy,
): void {
  Reflect.defineMetadata(ON_HANDLER, policy, handler);
  const before = (Reflect.getOwnMetadata(WRITTEN, prototype, key) ?? []) as HandlerPolicy[];
  Reflect.defineMetadata(WRITTEN, [...before, policy], prototype, key);
}

/** Puts a default on a controller. */
export function writeDefaultPolicy(controller: object, policy: HandlerPolicy): void {
  const before = (Reflect.getOwnMetadata(ON_CONTROLLER, controller) ?? []) as HandlerPolicy[];
  Reflect.defineMetadata(ON_CONTROLLER, [...before, policy], controller);
}

export function handlerPolicy(handler: Handler): HandlerPolicy | undefined {
  return Reflect.getMetadata(ON_HANDLER, handler) as HandlerPolicy | undefined;
}

/** Every policy that was written for a method of this name, also in a parent class. */
export function writtenPolicies(controller: ControllerClass, key: string): HandlerPolicy[] {
  const prototype = controller.prototype as object;
  return (Reflect.getMetadata(WRITTEN, prototype, key) ?? []) as HandlerPolicy[];
}

/** The defaults of a controller, else those of its parent class; more than one is a mistake. */
export function defaultPolicies(controller: ControllerClass): HandlerPolicy[] {
  return (Reflect.getMetadata(ON_CONTROLLER, controller) ?? []) as HandlerPolicy[];
}
