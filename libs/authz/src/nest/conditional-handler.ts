import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { STAGED_PART, type StagedPart } from '@apix/contracts/internal';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { concatMap, type Observable } from 'rxjs';
import { conditionsOf } from '../decide/rulebook.js';
import type { Authorizer } from '../decide/authorizer.js';
import { asLoaded } from '../conditions/resource-load.js';
import { shapedMessage } from '../conditions/request-shape.js';
import { internalError } from '../errors.js';
import { admissionIn } from './admissions.js';
import { argumentsReader, parametersBy, type ReadArguments } from './handler-arguments.js';
import type { HandlerPolicies } from './handler-policies.js';
import { hasConditions } from './handler-requirement.js';
import {
  type ControllerClass,
  type Handler,
  type HandlerPolicy,
  handlerPolicy,
} from './policy-metadata.js';
import { refuseCaller } from './refusal.js';

/** A call on its way to a handler with conditions. */
interface Visit {
  readonly policy: HandlerPolicy;
  readonly authorizer: Authorizer;
  readonly policies: HandlerPolicies;
  readonly context: ExecutionContext;
  isDecided: boolean;
}

/** Undefined within a handler: what it calls itself is not a call of its caller. */
const visits = new AsyncLocalStorage<Visit | undefined>();
const conditional = new WeakSet<object>();

/** Whether a handler decides about its arguments before it runs. */
export function isConditional(handler: Handler): boolean {
  return conditional.has(handler);
}

/**
 * A handler that runs once the conditions of its policy are met by its arguments, which the app's pipes have made. A
 * call of the app's own code, which no guard has seen, is not decided about.
 */
// Why: docs/decisions/0503
export function conditionalHandler(policy: HandlerPolicy, key: string, handler: Handler): Handler {
  const run = handler as (...args: unknown[]) => unknown;
  const argumentsOf = new Map<ControllerClass, HandlerArguments>();
  const wrapper = function (this: unknown, ...args: unknown[]): unknown {
    const visit = visits.getStore();
    if (visit === undefined || visit.policy !== policy) return run.apply(this, args);
    const { context } = visit;
    const controller = context.getClass();
    let own = argumentsOf.get(controller);
    if (own === undefined) {
      own = handlerArguments(context.getType<string>(), controller, key);
      argumentsOf.set(controller, own);
    }
    return runDecided(visit, own, args, () => run.apply(this, args));
  };
  for (const name of Reflect.getOwnMetadataKeys(handler) as unknown[]) {
    Reflect.defineMetadata(name, Reflect.getOwnMetadata(name, handler), wrapper);
  }
  Object.defineProperty(wrapper, 'name', { value: handler.name, configurable: true });
  conditional.add(wrapper);
  return wrapper;
}

/** What the decision about a handler reads from its arguments, and sets among them. */
interface HandlerArguments {
  readonly read: ReadArguments;
  /** The indexes of parameters that get the record. */
  readonly resources: readonly number[];
}

function handlerArguments(
  type: string,
  controller: ControllerClass,
  key: string,
): HandlerArguments {
  const read = argumentsReader(type, controller, key);
  return { read, resources: parametersBy(injectedResource, controller, key) };
}

async function runDecided(
  visit: Visit,
  { read, resources }: HandlerArguments,
  args: unknown[],
  run: () => unknown,
): Promise<unknown> {
  const { context, authorizer, policies } = visit;
  try {
    const admission = admissionIn(context);
    if (admission?.decideOnce !== undefined) {
      const standing = policies.standing(context.getClass(), context.getHandler() as Handler);
      const { input } = conditionsOf(standing)!;
      const lastLook = await admission.decideOnce(() => shapedMessage(input, read(args)));
      const resource = asLoaded(lastLook());
      for (const index of resources) args[index] = resource;
    } else if (admission === undefined || authorizer.mode === 'enforce') {
      throw internalError(new Error('authz: no guard has decided about the caller'));
    }
  } catch (error) {
    await refuseCaller(context, error);
    throw error;
  }
  visit.isDecided = true;
  // In the same turn as the last look at the arguments.
  return visits.run(undefined, run);
}

/** What `@CurrentResource()` injects where the call stage has loaded it. */
export function injectedResource(_: unknown, context: ExecutionContext): object | undefined {
  return admissionIn(context)?.resource;
}

const NOT_FOR_CALLS: StagedPart = {};

/**
 * Lets handlers with conditions know their call. It comes before the app's interceptors: an answer of one of these, such
 * as one from a cache, without the decision of the handler, is not sent.
 */
export class ConditionGate implements NestInterceptor {
  get [STAGED_PART](): StagedPart {
    return NOT_FOR_CALLS;
  }

  constructor(
    private readonly authorizer: Authorizer,
    private readonly policies: HandlerPolicies,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const policy = handlerPolicy(context.getHandler() as Handler);
    if (policy?.kind !== 'requires' || !hasConditions(policy.input)) return next.handle();
    const { authorizer, policies } = this;
    const visit: Visit = { policy, authorizer, policies, context, isDecided: false };
    const answers = visits.run(visit, () => next.handle());
    if (authorizer.mode === 'shadow') return answers;
    return answers.pipe(
      concatMap((answer: unknown) => (visit.isDecided ? [answer] : undecided(context))),
    );
  }
}

/** An interceptor has answered in place of the handler. */
async function undecided(context: ExecutionContext): Promise<never> {
  const error = internalError(
    new Error('authz: an interceptor answered before the conditions of the handler were decided'),
  );
  await refuseCaller(context, error);
  throw error;
}
