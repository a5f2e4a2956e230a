import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { RequirementInput } from '../policy/requirement.js';

/** A text, so that two installed copies agree. */
export const HANDLER_POLICY = 'apix:authz:policy';
export const DEFAULT_POLICY = 'apix:authz:default-policy';

/** What a decorator says of a handler. */
export type HandlerPolicy =
  | { readonly kind: 'requires'; readonly input: RequirementInput }
  | { readonly kind: 'public' }
  | { readonly kind: 'method'; readonly fullName: string };

/**
 * What a caller of this HTTP or message handler must show; replaces the controller's
 * `@DefaultRequires` as a whole. `@Requires({})` is any authenticated caller.
 */
export function Requires(input: RequirementInput): MethodDecorator {
  return SetMetadata<string, HandlerPolicy>(HANDLER_POLICY, { kind: 'requires', input });
}

/** What callers of a controller's handlers must show, where a handler says nothing itself. */
export function DefaultRequires(input: RequirementInput): ClassDecorator {
  return applyDecorators(
    SetMetadata<string, HandlerPolicy>(DEFAULT_POLICY, { kind: 'requires', input }),
  );
}

/** Anybody may call this handler, or every handler of this controller; nobody is asked. */
export function Public(): ClassDecorator & MethodDecorator {
  const policy: HandlerPolicy = { kind: 'public' };
  return (target: object, key?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (key !== undefined && descriptor !== undefined) {
      SetMetadata(HANDLER_POLICY, policy)(target, key, descriptor);
    } else SetMetadata(DEFAULT_POLICY, policy)(target as () => void);
  };
}

/**
 * Applies an RPC's policy to an HTTP or message handler.
 *
 * @param fullName `/pkg.Service/Method`; one that the descriptors do not know stops the start.
 */
export function EnforceMethod(fullName: string): MethodDecorator {
  return SetMetadata<string, HandlerPolicy>(HANDLER_POLICY, { kind: 'method', fullName });
}
