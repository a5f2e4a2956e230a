import type { ConditionView, Mistakes } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto/core';
import type { AnyDesc, DescField, DescMethod, DescService } from '@bufbuild/protobuf';
import type { MethodConditions } from '../conditions/method-conditions.js';
import type { MethodLists } from '../conditions/method-lists.js';
import { readLists } from '../conditions/read-lists.js';
import type { ConditionSetup } from '../conditions/compile-conditions.js';
import { readConditions, readDefinitions, readResource } from '../conditions/read-conditions.js';
import {
  default_requires,
  requires,
  type Condition as ProtoCondition,
  type Requirement as ProtoRequirement,
} from '../gen/apix/authz/authz_pb.js';
import { type Evaluate, compileRequirement } from './compile-requirement.js';
import { type Requirement, requirementMistakes, ruleOf } from './requirement.js';
import {
  hasUnknownFields,
  UNKNOWN_FIELDS,
  type WrittenOption,
  writtenOption,
} from './written-option.js';

/** What is known of one method before any call. */
export interface MethodPolicy {
  readonly fullName: string;
  /** Undefined: neither the method nor its service has a policy. */
  readonly requirement: Requirement | undefined;
  readonly evaluate: Evaluate | undefined;
  /** Undefined: the requirement has none. */
  readonly conditions?: MethodConditions | undefined;
  /** Undefined: it lists no records. */
  readonly lists?: MethodLists | undefined;
  /** Whether conditions on its record, or its list, are left to the server behind. Default: false. */
  readonly leavesRecords?: boolean;
  /** The fields that lead to the name of its record in requests. Default: none. */
  readonly nameOfRecord?: readonly DescField[];
}

/**
 * The policy of every method of the descriptors, by full name: the method's own requirement, else its
 * service's default, else no policy. Read and compiled once.
 */
export function readPolicies(
  registry: ProtoRegistry,
  setup: Omit<ConditionSetup, 'types'>,
  mistakes: Mistakes,
): ReadonlyMap<string, MethodPolicy> {
  const book = new Map<string, MethodPolicy>();
  const conditions = { ...setup, types: registry.registry };
  for (const service of registry.services) {
    const fallback = readRequirement(service, default_requires, mistakes);
    const definitions = readDefinitions(service, mistakes);
    for (const method of service.methods) {
      const resource = readResource(method, conditions, mistakes);
      const fullName = `/${service.typeName}/${method.name}`;
      const own = readRequirement(method, requires, mistakes);
      const reading =
        own ?? (fallback && { ...fallback, where: `${fallback.where}, method ${method.name}` });
      const requirement = reading?.requirement;
      const bound =
        reading &&
        readConditions({ ...reading, method, definitions, resource }, conditions, mistakes);
      const listed = readLists(
        { method, definitions, isProtected: requirement?.kind === 'protected' },
        conditions,
        mistakes,
      );
      const { leavesRecords = false } = setup;
      book.set(fullName, {
        fullName,
        requirement,
        evaluate: requirement && compileRequirement(requirement),
        nameOfRecord: resource?.path ?? [],
        conditions: bound?.list.length === 0 ? undefined : bound,
        lists: leavesRecords ? undefined : listed,
        leavesRecords: bound?.leavesRecords === true || (leavesRecords && listed !== undefined),
      });
    }
  }
  return book;
}

interface WrittenRequirement extends WrittenOption<ProtoRequirement> {
  readonly requirement: Requirement;
}

/**
 * The requirement in an option, undefined if the option is not set. Anything in it that is not fully
 * understood is a mistake: a policy that is read only in part would let callers in.
 */
function readRequirement(
  element: DescService | DescMethod,
  option: typeof requires | typeof default_requires,
  mistakes: Mistakes,
): WrittenRequirement | undefined {
  if (hasUninterpreted(element)) {
    mistakes.add(
      `${element.toString()}, option (${option.typeName})`,
      'the compiler left options unresolved; build the descriptors with buf or protoc',
    );
  }
  const written = writtenOption(element, option, mistakes);
  if (written === undefined) return undefined;
  const { requirement, mistakes: own } = fromProto(written.value);
  for (const mistake of own) mistakes.add(written.where, mistake);
  return { ...written, requirement };
}

interface Reading {
  readonly requirement: Requirement;
  readonly mistakes: readonly string[];
}

function fromProto(written: ProtoRequirement): Reading {
  const { roles, permissions, conditions } = written;
  const unknown = [written, roles, permissions, ...conditions].some(hasUnknownFields)
    ? [UNKNOWN_FIELDS]
    : [];
  if (written.public) {
    const mistakes = [...unknown];
    if (roles !== undefined || permissions !== undefined) {
      mistakes.push('public cannot be combined with roles or permissions; remove one of them');
    }
    if (conditions.length > 0) {
      mistakes.push('public cannot be combined with conditions; remove one of them');
    }
    return { requirement: { kind: 'public' }, mistakes };
  }
  const requirement: Requirement = {
    kind: 'protected',
    roles: roles && ruleOf(roles),
    permissions: permissions && ruleOf(permissions),
    ...(conditions.length > 0 && { conditions: conditions.map(viewOf) }),
  };
  return { requirement, mistakes: [...unknown, ...requirementMistakes(requirement)] };
}

function viewOf({ id, expression, message }: ProtoCondition): ConditionView {
  return { id, expression, ...(message !== '' && { message }) };
}

function hasUninterpreted(element: AnyDesc): boolean {
  const options = element.proto.options as
    { readonly uninterpretedOption?: readonly unknown[] } | undefined;
  return (options?.uninterpretedOption?.length ?? 0) > 0;
}
