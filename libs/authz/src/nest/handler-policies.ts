import { INFRASTRUCTURE_ENDPOINT, Mistakes } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { Inject, Injectable } from '@nestjs/common';
import { Authorizer } from '../decide/authorizer.js';
import { type Standing, standingOf } from '../decide/rulebook.js';
import { compileRequirement } from '../policy/compile-requirement.js';
import { PolicyError } from '../errors.js';
import { type ReadRequirement, readHandlerRequirement } from './handler-requirement.js';
import {
  type ControllerClass,
  type Handler,
  type HandlerPolicy,
  defaultPolicies,
  handlerPolicy,
} from './policy-metadata.js';

/** The policies that decorators put on handlers of any door but gRPC, each compiled once. */
@Injectable()
export class HandlerPolicies {
  /** By controller too: two that inherit a handler may have different defaults. */
  readonly #standings = new Map<ControllerClass, Map<Handler, Standing>>();

  constructor(@Inject(Authorizer) private readonly authorizer: Authorizer) {}

  /** The policy of a handler: its own, its controller's default, or else unannotated. */
  standing(controller: ControllerClass, handler: Handler): Standing {
    let ofController = this.#standings.get(controller);
    if (ofController === undefined) {
      ofController = new Map();
      this.#standings.set(controller, ofController);
    }
    let standing = ofController.get(handler);
    if (standing === undefined) {
      standing = this.resolve(controller, handler);
      ofController.set(handler, standing);
    }
    return standing;
  }

  /** Whether a handler needs no policy under `unannotated: 'deny'`, and has none. */
  isExemptEndpoint(controller: ControllerClass, handler: Handler): boolean {
    const standing = this.standing(controller, handler);
    return standing.kind === 'open' && standing.reason === 'exempt';
  }

  private resolve(controller: ControllerClass, handler: Handler): Standing {
    const policy = policyOf(controller, handler);
    if (policy?.kind === 'method') return this.authorizer.standing(policy.fullName);
    const fullName = handlerNameOf(controller, handler.name);
    const { requirement, conditions } = this.requirementFrom(policy, fullName);
    return standingOf(
      {
        fullName,
        requirement,
        evaluate: requirement && compileRequirement(requirement),
        conditions,
      },
      fullName,
      hasMark(handler, INFRASTRUCTURE_ENDPOINT) ||
        hasMark(controller, INFRASTRUCTURE_ENDPOINT) ||
        this.authorizer.methods.exemptions.hasHandler(fullName),
      this.authorizer.unannotated,
    );
  }

  /** @throws PolicyError that lists every mistake. */
  private requirementFrom(
    policy: Exclude<HandlerPolicy, { kind: 'method' }> | undefined,
    name: string,
  ): Partial<ReadRequirement> {
    if (policy === undefined) return {};
    if (policy.kind === 'public') return { requirement: { kind: 'public' } };
    const mistakes = new Mistakes();
    const { conditionSetup } = this.authorizer;
    const read = readHandlerRequirement(policy.input, name, conditionSetup, mistakes);
    mistakes.throwIfAny((found) => new PolicyError(found));
    return read;
  }
}

/** A handler's own policy, else its controller's default. */
export function policyOf(controller: ControllerClass, handler: Handler): HandlerPolicy | undefined {
  return handlerPolicy(handler) ?? defaultPolicies(controller)[0];
}

/** `Controller.method`, the name of a handler that is not an RPC. */
export function handlerNameOf(controller: ControllerClass, method: string): string {
  return `${controller.name}.${method}`;
}
