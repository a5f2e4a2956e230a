import { type Mistakes, thrownText } from '@apix/contracts';
import { type ProtoRegistry, optionOf } from '@apix/proto/core';
import type { AnyDesc, Message } from '@bufbuild/protobuf';
import {
  default_requires,
  requires,
  type Requirement as ProtoRequirement,
  type Rule as ProtoRule,
} from '../gen/apix/authz/authz_pb.js';
import { type Evaluate, compileRequirement } from './compile-requirement.js';
import { type Requirement, requirementMistakes, type Rule } from './requirement.js';

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

/**
 * The requirement in an option, undefined if the option is not set. Anything in it that is not fully
 * understood is a mistake: a policy that is read only in part would let callers in.
 */
function readRequirement(
  element: AnyDesc,
  option: typeof requires | typeof default_requires,
  mistakes: Mistakes,
): Requirement | undefined {
  const where = `${element.toString()}, option (${option.typeName})`;
  if (hasUninterpreted(element)) {
    mistakes.add(
      where,
      'the compiler left options unresolved; build the descriptors with buf or protoc',
    );
  }
  let written: ProtoRequirement | undefined;
  try {
    written = optionOf(element, option);
  } catch (error) {
    mistakes.add(where, `is not an apix.authz.Requirement: ${thrownText(error)}`);
    return undefined;
  }
  if (written === undefined) return undefined;
  const { requirement, mistakes: own } = fromProto(written);
  for (const mistake of own) mistakes.add(where, mistake);
  return requirement;
}

interface Reading {
  readonly requirement: Requirement;
  readonly mistakes: readonly string[];
}

function fromProto(written: ProtoRequirement): Reading {
  const { roles, permissions } = written;
  const unknown = [written, roles, permissions].some(hasUnknownFields)
    ? ['has fields that this version of @apix/authz does not know; update the package']
    : [];
  if (written.public) {
    const both = roles !== undefined || permissions !== undefined;
    const mistake = both
      ? ['public cannot be combined with roles or permissions; remove one of them']
      : [];
    return { requirement: { kind: 'public' }, mistakes: [...unknown, ...mistake] };
  }
  const requirement: Requirement = {
    kind: 'protected',
    roles: roles && ruleOf(roles),
    permissions: permissions && ruleOf(permissions),
  };
  return { requirement, mistakes: [...unknown, ...requirementMistakes(requirement)] };
}

function ruleOf({ anyOf, allOf, noneOf }: ProtoRule): Rule {
  return { anyOf, allOf, noneOf };
}

function hasUnknownFields(message: Message | undefined): boolean {
  return (message?.$unknown?.length ?? 0) > 0;
}

function hasUninterpreted(element: AnyDesc): boolean {
  const options = element.proto.options as
    { readonly uninterpretedOption?: readonly unknown[] } | undefined;
  return (options?.uninterpretedOption?.length ?? 0) > 0;
}
