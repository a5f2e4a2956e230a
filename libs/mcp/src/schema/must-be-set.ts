import {
  type JsonSchema,
  type Rules,
  constraintsOf,
  exclusiveFields,
  isIgnored,
  isInverted,
  isRequired,
  rulesIn,
  rulesOf,
  textsIn,
} from '@apix/proto/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import { type DescField, ScalarType } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence as Presence } from '@bufbuild/protobuf/wkt';

/**
 * Whether a message without the field is refused: by its presence in the .proto file, by a rule that it is required,
 * or because the zero that an unset field has meets its rules not.
 */
export function mustBeSet(protos: ProtoRegistry, field: DescField): boolean {
  if (isRequired(field) || constraintsOf(protos, field).required) return true;
  const rules = rulesOf(protos, field);
  if (rules === undefined || isIgnored(rules)) return false;
  if (rules['ignore'] === 'IGNORE_IF_ZERO_VALUE' || hasPresence(field)) return false;
  // By itself, a rule about one field among several of which one is set ignores zero.
  if (exclusiveFields(protos, field.parent).flat().includes(field.name)) return false;
  return refusesZero(protos, field, rules);
}

/** What a value must be where a rule says that the field is required: a field without presence is set if not zero. */
export function requiredKeywords(protos: ProtoRegistry, field: DescField): JsonSchema {
  const { required, keywords } = constraintsOf(protos, field);
  if (!required || hasPresence(field)) return {};
  const atLeastOne = (name: string): JsonSchema => ({
    [name]: Math.max(1, Number(keywords[name] ?? 0)),
  });
  if (field.fieldKind === 'list') return atLeastOne('minItems');
  if (field.fieldKind === 'map') return atLeastOne('minProperties');
  if (field.enum !== undefined) {
    return { not: { enum: [0, ...field.enum.values.filter(isZero).map((it) => it.jsonName)] } };
  }
  if (isText(field)) return atLeastOne('minLength');
  return { not: { enum: [0, '0', false] } };
}

function isZero({ number }: { readonly number: number }): boolean {
  return number === 0;
}

/** Whether it is known that a field is set, whatever its value. */
function hasPresence({ fieldKind, presence }: DescField): boolean {
  return fieldKind !== 'list' && fieldKind !== 'map' && presence !== Presence.IMPLICIT;
}

function isText({ scalar }: DescField): boolean {
  const { STRING, BYTES } = ScalarType;
  return scalar === STRING || scalar === BYTES;
}

function refusesZero(protos: ProtoRegistry, field: DescField, rules: Rules): boolean {
  const { keywords } = constraintsOf(protos, field);
  if (Number(keywords['minItems'] ?? 0) > 0 || Number(keywords['minProperties'] ?? 0) > 0) {
    return true;
  }
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return false;
  if (isText(field)) return refusesEmpty(keywords, rulesIn(rules, 'bytes'));
  const ofType = Object.values(rules).find(
    (each) => typeof each === 'object' && !Array.isArray(each),
  );
  return ofType !== undefined && refusesNumber(ofType as Rules);
}

function refusesEmpty(keywords: JsonSchema, ofBytes: Rules): boolean {
  const { minLength, pattern, format } = keywords;
  return (
    Number(minLength ?? ofBytes['minLen'] ?? ofBytes['len'] ?? 0) > 0 ||
    (typeof pattern === 'string' && !new RegExp(pattern, 'u').test('')) ||
    (format !== undefined && format !== 'uri-reference') ||
    (Array.isArray(keywords['enum']) && !keywords['enum'].includes('')) ||
    (keywords['const'] ?? '') !== ''
  );
}

/** Of numbers, enums and bools. */
function refusesNumber(rules: Rules): boolean {
  const below = Number(rules['gt'] ?? -1) >= 0 || Number(rules['gte'] ?? 0) > 0;
  const above = Number(rules['lt'] ?? 1) <= 0 || Number(rules['lte'] ?? 0) < 0;
  const list = textsIn(rules, 'in');
  return (
    (isInverted(rules) ? below && above : below || above) ||
    (list.length > 0 && !list.includes('0')) ||
    textsIn(rules, 'notIn').includes('0') ||
    ![undefined, 0, '0', false].includes(rules['const'] as number | string | boolean | undefined)
  );
}
