import type { Mistakes } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescExtension, DescField, DescMessage, FileRegistry } from '@bufbuild/protobuf';
import {
  compileCondition,
  type ConditionSetup,
  NOT_ENABLED,
  partsRead,
  scopeIn,
} from '../conditions/compile-conditions.js';
import { visible } from '../gen/apix/authz/authz_pb.js';
import { compileRequirement } from '../policy/compile-requirement.js';
import { type Requirement, requirementMistakes, ruleOf } from '../policy/requirement.js';
import { hasUnknownFields, UNKNOWN_FIELDS, writtenOption } from '../policy/written-option.js';
import type { FieldVisibility } from './field-visibility.js';
import { alwaysSet } from './always-set.js';
import { typesWith } from './holding-types.js';

/**
 * Who sees the fields of the descriptors that have `(apix.authz.visible)`.
 *
 * @param names the fields in which requests name their records.
 */
export function readVisibilities(
  { registry }: ProtoRegistry,
  setup: Omit<ConditionSetup, 'types'>,
  names: ReadonlySet<DescField>,
  mistakes: Mistakes,
): readonly FieldVisibility[] {
  const found: FieldVisibility[] = [];
  const extensions: DescExtension[] = [];
  for (const type of registry) {
    if (type.kind === 'extension') extensions.push(type);
    if (type.kind !== 'message') continue;
    checkEntries(type, mistakes);
    for (const field of type.fields) {
      const visibility = readVisibility(field, { ...setup, types: registry }, mistakes);
      if (visibility === undefined) continue;
      const why = alwaysSet(field, registry, names);
      if (why !== undefined) {
        mistakes.add(
          writtenOption(field, visible, mistakes)!.where,
          `cannot be hidden, because ${why}; remove one of them`,
        );
      }
      found.push(visibility);
    }
  }
  checkExtensions(extensions, found, registry, mistakes);
  return found;
}

function readVisibility(
  field: DescField,
  setup: ConditionSetup,
  mistakes: Mistakes,
): FieldVisibility | undefined {
  const unresolved = field.proto.options?.uninterpretedOption.some(({ name }) =>
    name.some(({ namePart }) => namePart.includes(visible.typeName)),
  );
  if (unresolved === true) {
    mistakes.add(
      field.toString(),
      'the compiler left options unresolved; build the descriptors with buf or protoc',
    );
  }
  const written = writtenOption(field, visible, mistakes);
  if (written === undefined) return undefined;
  const { value, where } = written;
  const { roles, permissions, condition } = value;
  if ([value, roles, permissions].some(hasUnknownFields)) mistakes.add(where, UNKNOWN_FIELDS);
  const requirement: Requirement = {
    kind: 'protected',
    roles: roles && ruleOf(roles),
    permissions: permissions && ruleOf(permissions),
    ...(condition !== '' && { conditions: [{ id: field.name, expression: condition }] }),
  };
  for (const mistake of requirementMistakes(requirement)) mistakes.add(where, mistake);
  const { parent } = field;
  const scope = scopeIn(parent.file.proto.package, [['this', parent]], setup.types);
  const { language } = setup;
  const isEnabled = condition !== '' && language !== undefined;
  if (condition !== '' && !isEnabled) mistakes.add(where, NOT_ENABLED);
  const compiled = isEnabled
    ? compileCondition(language, condition, scope, `${where}, condition`, mistakes)
    : undefined;
  return {
    field,
    requirement,
    evaluate: compileRequirement(requirement),
    condition: compiled,
    parts: compiled === undefined || !isEnabled ? [] : partsRead(compiled, language, scope),
  };
}

/** The fields of the entries of maps are no fields of the descriptors' messages. */
function checkEntries(type: DescMessage, mistakes: Mistakes): void {
  for (const { name, options, field } of type.proto.nestedType) {
    if (options?.mapEntry !== true) continue;
    for (const each of field) {
      const isWritten = each.options?.$unknown?.some(({ no }) => no === visible.number) ?? false;
      if (!isWritten) continue;
      mistakes.add(
        `${type.typeName}.${name}.${each.name}, option (${visible.typeName})`,
        'keys and values of a map cannot be hidden; write the option on the map',
      );
    }
  }
}

/** Messages keep extensions as bytes, which are not looked into. */
function checkExtensions(
  extensions: readonly DescExtension[],
  found: readonly FieldVisibility[],
  registry: FileRegistry,
  mistakes: Mistakes,
): void {
  const hiding = typesWith(
    found.map(({ field }) => field.parent),
    registry,
  );
  for (const extension of extensions) {
    const written = writtenOption(extension, visible, mistakes);
    if (written !== undefined) {
      mistakes.add(written.where, 'an extension cannot be hidden; use a field');
    }
    if (extension.message !== undefined && hiding.has(extension.message.typeName)) {
      mistakes.add(
        extension.toString(),
        `${extension.message.typeName} has fields with (${visible.typeName}), which cannot be hidden in an extension; use a field`,
      );
    }
  }
}
