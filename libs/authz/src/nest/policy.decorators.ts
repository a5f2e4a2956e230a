import type { RequirementInput } from '../policy/requirement.js';
import { type HandlerPolicy, writeDefaultPolicy, writeHandlerPolicy } from './policy-metadata.js';

/**
 * What a caller of this HTTP or message handler must show; replaces the controller's
 * `@DefaultRequires` as a whole. `@Requires({})` is any authenticated caller. Not for RPCs: the
 * policy of those is in their .proto file.
 */
export function Requires(input: RequirementInput): MethodDecorator {
  return onHandler({ kind: 'requires', input });
}

/** What callers of a controller's handlers must show, where a handler says nothing itself. */
export function DefaultRequires(input: RequirementInput): ClassDecorator {
  return (controller) => writeDefaultPolicy(controller, { kind: 'requires', input });
}

/** Anybody may call this handler, or every handler of this controller; no one is asked. */
export function Public(): ClassDecorator & MethodDecorator {
  const policy: HandlerPolicy = { kind: 'public' };
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (key === undefined) writeDefaultPolicy(target, policy);
    else writeHandlerPolicy(target, key, descriptor?.value as object, policy);
  };
}

/**
 * Applies an RPC's policy to an HTTP or message handler.
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
