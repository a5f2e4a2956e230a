import type { Mistakes } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto/core';
import { default_requires, requires } from '../gen/apix/authz/authz_pb.js';
import { type Evaluate, compileRequirement } from './compile-requirement.js';
import { readRequirement } from './read-requirement.js';
import type { Requirement } from './requirement.js';

/** What is known of one method before any call. */
export interface MethodPolicy {
  readonly fullName: string;
  /** Undefined: neither the method nor its service has a policy. */
  readonly requirement: Requirement | undefined;
  readonly evaluate: Evaluate | undefined;
}

/**
 * The policy of every method of the descriptors, by full name: the method's own requirement, else its
 * service's default, else no policy. Read and compiled once.
 */
export function readPolicies(
  registry: ProtoRegistry,
  mistakes: Mistakes,
): ReadonlyMap<string, MethodPolicy> {
  const book = new Map<string, MethodPolicy>();
  for (const service of registry.services) {
    const fallback = readRequirement(service, default_requires, mistakes);
    for (const method of service.methods) {
      const fullName = `/${service.typeName}/${method.name}`;
      const requirement = readRequirement(method, requires, mistakes) ?? fallback;
      const evaluate = requirement && compileRequirement(requirement);
      book.set(fullName, { fullName, requirement, evaluate });
    }
  }
  return book;
}
