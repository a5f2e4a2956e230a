import { type CallContext, type CallMethod, Mistakes, shownValue } from '@apix/contracts';
import { cutText, anyValue, readOptions, TEXT } from '@apix/contracts/internal';
import {
  type RequirementInput,
  requirementMistakes,
  readRequirementInput,
} from '../policy/requirement.js';
import type { Admission } from '../decide/admission.js';
import type { Authorizer } from '../decide/authorizer.js';
import { standingOf } from '../decide/rulebook.js';
import { PolicyError } from '../errors.js';
import { compileRequirement } from '../policy/compile-requirement.js';

/** The method and the target of a request. */
export interface HttpTarget {
  /** Such as `GET`. */
  readonly method: string;
  /** The full path as it was sent: percent-encoded, without the query, including the paths of mounts. */
  readonly path: string;
}

/**
 * Finds the RPC whose policy applies to a request, as `pkg.Service/Method`; if it returns undefined, the
 * request is refused.
 */
export type RpcOfRequest = (target: HttpTarget) => string | undefined;

/** The policy for a route: that of an RPC, or a rule of the route itself. */
export type HttpPolicy =
  | { readonly rpc: string | RpcOfRequest }
  | {
      /** `{}` is any authenticated caller. */
      readonly requires: RequirementInput;
      /** The name of the rule in decisions that are passed to observers. Default: 'http'. */
      readonly name?: string;
    };

const HTTP_POLICY = {
  rpc: anyValue(),
  requires: anyValue(),
  name: TEXT,
};

/** The parts of a request that a rule uses. */
export interface HttpEntry {
  readonly target: HttpTarget;
  call(method: CallMethod): CallContext;
}

/** Decides about a request; throws, or rejects with, a StatusError if the request is refused. */
export type EntryRule = (entry: HttpEntry) => Admission | Promise<Admission>;

/**
 * Compiles the policy for a route.
 *
 * @throws PolicyError for an RPC that the descriptors do not have, and for a rule that cannot pass.
 */
export function entryRule(authorizer: Authorizer, policy: HttpPolicy): EntryRule {
  const mistakes = new Mistakes();
  const rule = compile(authorizer, policy, mistakes);
  mistakes.throwIfAny((found) => new PolicyError(found));
  return rule;
}

function compile(authorizer: Authorizer, policy: HttpPolicy, mistakes: Mistakes): EntryRule {
  const { rpc, requires } = readOptions(HTTP_POLICY, policy, '', mistakes);
  if ((rpc === undefined) === (requires === undefined)) {
    mistakes.add('', `a policy needs either rpc or requires, not ${shownValue(policy)}`);
  }
  return 'rpc' in policy
    ? rpcRule(authorizer, policy.rpc, mistakes)
    : inlineRule(authorizer, policy, mistakes);
}

function rpcRule(
  authorizer: Authorizer,
  rpc: string | RpcOfRequest,
  mistakes: Mistakes,
): EntryRule {
  if (typeof rpc === 'function') {
    return (entry) => {
      const { target } = entry;
      const fullName = fullNameOf(rpc(target) ?? `${target.method} ${target.path}`);
      return authorizer.admit(entry.call(methodOf(authorizer, fullName)));
    };
  }
  const fullName = fullNameOf(TEXT.read(rpc, 'rpc', mistakes) ?? '');
  if (!authorizer.methods.has(fullName)) {
    mistakes.add('rpc', `the descriptors have no method ${shownValue(rpc)}`);
  }
  const standing = authorizer.standing(fullName);
  if (standing.conditions !== undefined) {
    mistakes.add(
      'rpc',
      `${shownValue(rpc)} has conditions, and a route has no request for them; call authorize() of the Authorizer`,
    );
  }
  if (standing.lists !== undefined) {
    mistakes.add(
      'rpc',
      `${shownValue(rpc)} lists records, and a route cannot get its filter; call listFilter() of the Authorizer`,
    );
  }
  const method = methodOf(authorizer, fullName);
  return (entry) => authorizer.admitBy(standing, entry.call(method));
}

function inlineRule(
  authorizer: Authorizer,
  { requires, name = 'http' }: Extract<HttpPolicy, { requires: unknown }>,
  mistakes: Mistakes,
): EntryRule {
  const requirement = readRequirementInput(requires ?? {}, name, mistakes);
  for (const mistake of requirementMistakes(requirement)) mistakes.add(name, mistake);
  const policy = { fullName: name, requirement, evaluate: compileRequirement(requirement) };
  const standing = standingOf(policy, name, false, authorizer.unannotated);
  const method = unknownMethod(name);
  return (entry) => authorizer.admitBy(standing, entry.call(method));
}

/** gRPC method names start with a slash; names written by hand often do not. */
function fullNameOf(rpc: string): string {
  return rpc.startsWith('/') ? rpc : `/${rpc}`;
}

function methodOf(authorizer: Authorizer, fullName: string): CallMethod {
  return authorizer.methods.callMethodOf(fullName) ?? unknownMethod(cutText(fullName, 120));
}

function unknownMethod(fullName: string): CallMethod {
  return { fullName, service: '', name: fullName, kind: 'unary' };
}
