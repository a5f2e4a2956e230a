import { createParamDecorator } from '@nestjs/common';
import type { RequirementInput } from '../policy/requirement.js';
import { conditionalHandler, injectedResource } from './conditional-handler.js';
import type { RequestShape } from '../conditions/request-shape.js';
import { type HandlerRequirement, hasConditions } from './handler-requirement.js';
import type { Subject } from '../subject/subject.js';
import {
  type Handler,
  type HandlerPolicy,
  writeDefaultPolicy,
  writeHandlerPolicy,
} from './policy-metadata.js';
import { admissionIn } from './admissions.js';
import { injectedFilter } from './filter-parameter.js';
import { markLoader } from './resource-loaders.js';

/**
 * The requirement for callers of this handler of HTTP, messages, a WebSocket or GraphQL; replaces the
 * controller's `@DefaultRequires` as a whole. `@Requires({})` admits any authenticated caller. Not for
 * RPCs: their policy is in the .proto file.
 *
 * `conditions` are decided about what the handler gets, after the app's interceptors and pipes and right before it runs.
 */
export function Requires(input: HandlerRequirement): MethodDecorator {
  const policy: HandlerPolicy = { kind: 'requires', input };
  if (!hasConditions(input)) return onHandler(policy);
  return (prototype, key, descriptor: PropertyDescriptor) => {
    const handler = descriptor.value as Handler;
    descriptor.value = conditionalHandler(policy, String(key), handler);
    writeHandlerPolicy(prototype, key, descriptor.value as object, policy);
  };
}

/** The requirement for callers of a controller's handlers that have no own policy. */
export function DefaultRequires(input: RequirementInput): ClassDecorator {
  return (controller) => writeDefaultPolicy(controller, { kind: 'requires', input });
}

/** Anyone may call this handler, or every handler of this controller; callers are not identified. */
export function Public(): ClassDecorator & MethodDecorator {
  const policy: HandlerPolicy = { kind: 'public' };
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (key === undefined) writeDefaultPolicy(target, policy);
    else writeHandlerPolicy(target, key, descriptor?.value as object, policy);
  };
}

/**
 * Applies an RPC's policy to a handler of HTTP, messages, a WebSocket or GraphQL.
 *
 * @param fullName `/pkg.Service/Method`; one that the descriptors do not know stops the start.
 */
export function EnforceMethod(fullName: string): MethodDecorator {
  return onHandler({ kind: 'method', fullName });
}

function onHandler(policy: HandlerPolicy): MethodDecorator {
  return (prototype, key, descriptor) =>
    writeHandlerPolicy(prototype, key, descriptor.value as object, policy);
}

/**
 * Injects the {@link Subject} who calls: into handlers of HTTP, gRPC, messages, WebSockets and GraphQL. Null for
 * an anonymous caller, and where callers need not identify themselves (a public or unannotated method).
 */
export const CurrentSubject = createParamDecorator(
  (_: unknown, context): Subject | null => admissionIn(context)?.subject ?? null,
);

/**
 * Injects the record that the conditions of a method have read, the very object: into handlers of gRPC, and into those
 * with conditions in `@Requires`, where it passes no pipes. Undefined if no condition reads it, and in shadow mode also
 * if there is none.
 */
export const CurrentResource = createParamDecorator(injectedResource);

/**
 * Injects the {@link ListFilter} of the caller into the handler of a method that lists records, by the option
 * `(apix.authz.lists)`: the handler lists only records that it lets through. In shadow mode it lets all through.
 */
export const CurrentFilter = createParamDecorator(injectedFilter);

/**
 * Makes a provider the loader of the records of a type: its method `load` is a {@link ResourceLoad}. It must be a
 * class without request scope.
 *
 * @param type the full name of the message, such as `shop.v1.Order`, or any name for records that are not messages.
 * @param members the types of the members of records that are not messages, such as `{ customer: 'string' }`; `load`
 *   returns objects then. Default: the records are messages.
 */
export function ResourceLoader(type: string, members?: RequestShape): ClassDecorator {
  return (target) => markLoader(target, { type, members });
}
