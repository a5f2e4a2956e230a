import type { AnyDesc, Message } from '@bufbuild/protobuf';
import { optionOf } from '@apix/proto/core';
import type {
  Requirement as ProtoRequirement,
  Rule as ProtoRule,
  default_requires,
  requires,
} from '../gen/apix/authz/authz_pb.js';
import { requirementMistakes } from './check-requirement.js';
import type { Requirement, Rule } from './requirement.js';

/**
 * The requirement that an option gives, undefined where the option is not written. Whatever in
 * it cannot be understood in full is a mistake: a policy that is half read would let callers in.
 */
export function readRequirement(
  element: AnyDesc,
  option: typeof requires | typeof default_requires,
  mistakes: string[],
): Requirement | undefined {
  const where = `${element.toString()}, option (${option.typeName})`;
  if (hasUninterpreted(element)) {
    mistakes.push(`${where}: the descriptors hold options that the compiler did not resolve`);
  }
  let written: ProtoRequirement | undefined;
  try {
    written = optionOf(element, option);
  } catch (error) {
    mistakes.push(`${where}: is no apix.authz.Requirement (${messageOf(error)})`);
    return undefined;
  }
  if (written === undefined) return undefined;
  const { requirement, mistakes: own } = fromProto(written);
  mistakes.push(...own.map((mistake) => `${where}: ${mistake}`));
  return requirement;
}

interface Reading {
  readonly requirement: Requirement;
  readonly mistakes: readonly string[];
}

function fromProto(written: ProtoRequirement): Reading {
  const { roles, permissions } = written;
  const unknown = [written, roles, permissions].some(hasUnknownFields)
    ? ['has fields that this version of @apix/authz does not know']
    : [];
  if (written.public) {
    const both = roles !== undefined || permissions !== undefined;
    const mistake = both ? ['public cannot stand beside rules: drop one of them'] : [];
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
