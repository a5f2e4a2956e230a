import { INFRASTRUCTURE_ENDPOINT, hasMark } from '@apix/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Authorizer } from '../decide/authorizer.js';
import { type Standing, standingOf } from '../decide/rulebook.js';
import { compile } from '../policy/compile.js';
import { requirementMistakes } from '../policy/check-requirement.js';
import { type Requirement, requirementOf } from '../policy/requirement.js';
import { DEFAULT_POLICY, HANDLER_POLICY, type HandlerPolicy } from './policy.decorators.js';

type Handler = (...args: never[]) => unknown;
type ControllerClass = abstract new (...args: never[]) => unknown;

/** The policies that decorators put on HTTP and message handlers, each compiled once. */
@Injectable()
export class HandlerPolicies {
  readonly #standings = new Map<Handler, Standing>();

  constructor(
    @Inject(Authorizer) private readonly authorizer: Authorizer,
    @Inject(Reflector) private readonly reflector: Reflector,
  ) {}

  /** How a handler stands: its own policy, its controller's default, else unannotated. */
  standing(controller: ControllerClass, handler: Handler): Standing {
    let standing = this.#standings.get(handler);
    if (standing === undefined) {
      standing = this.resolve(controller, handler);
      this.#standings.set(handler, standing);
    }
    return standing;
  }

  /** What is wrong with a handler's policy. */
  mistakes(controller: ControllerClass, handler: Handler): string[] {
    const where = nameOf(controller, handler);
    const policy = this.policyOf(controller, handler);
    if (policy?.kind === 'method' && !this.authorizer.knows(policy.fullName)) {
      return [`${where}: @EnforceMethod("${policy.fullName}"): the descriptors do not know it`];
    }
    const mistakes = policy?.kind === 'requires' ? requirementMistakes(read(policy)) : [];
    return mistakes.map((mistake) => `${where}: ${mistake}`);
  }

  /** Whether a handler needs no policy under `unannotated: 'deny'`, and has none. */
  isExemptEndpoint(controller: ControllerClass, handler: Handler): boolean {
    const standing = this.standing(controller, handler);
    return standing.kind === 'open' && standing.reason === 'exempt';
  }

  /** Whether a handler or its controller serves the operator. */
  private isInfrastructure(controller: ControllerClass, handler: Handler): boolean {
    return (
      hasMark(handler, INFRASTRUCTURE_ENDPOINT) || hasMark(controller, INFRASTRUCTURE_ENDPOINT)
    );
  }

  private resolve(controller: ControllerClass, handler: Handler): Standing {
    const policy = this.policyOf(controller, handler);
    if (policy?.kind === 'method') return this.authorizer.standing(policy.fullName);
    const requirement = policy && read(policy);
    const fullName = nameOf(controller, handler);
    return standingOf(
      { fullName, requirement, evaluate: requirement && compile(requirement) },
      fullName,
      this.isInfrastructure(controller, handler),
      this.authorizer.unannotated,
    );
  }

  private policyOf(controller: ControllerClass, handler: Handler): HandlerPolicy | undefined {
    return (
      this.reflector.get<HandlerPolicy | undefined>(HANDLER_POLICY, handler) ??
      this.reflector.get<HandlerPolicy | undefined>(DEFAULT_POLICY, controller as never)
    );
  }
}

/** `Controller.method`, the name of a handler that is no RPC. */
export function nameOf(controller: ControllerClass, handler: Handler): string {
  return `${controller.name}.${handler.name}`;
}

function read(policy: Exclude<HandlerPolicy, { kind: 'method' }>): Requirement {
  return policy.kind === 'public' ? { kind: 'public' } : requirementOf(policy.input);
}
