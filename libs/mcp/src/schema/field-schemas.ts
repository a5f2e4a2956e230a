import { optionOf, type ProtoRegistry } from '@apix/proto/core';
import {
  type JsonSchema,
  commentsOf,
  constraintsOf,
  exclusiveFields,
  oneofMustBeSet,
  rulesIn,
  rulesOf,
} from '@apix/proto/internal';
import { type DescField, type DescOneof, ScalarType } from '@bufbuild/protobuf';
import { LONGEST_PART, cleanText } from '../tools/tool-text.js';
import { enumForm, isNullEnum } from './enum-forms.js';
import { mustBeSet, requiredKeywords } from './must-be-set.js';
import type { MemberDesc, Referable } from './references.js';
import { ruleWords } from './rule-words.js';
import { type SchemaSide, keyForm, scalarForm } from './value-forms.js';

/** Values of google.api.FieldBehavior. */
const REQUIRED = 2;
const OUTPUT_ONLY = 3;

/** The schemas of fields on one side of a call. */
export class FieldSchemas {
  constructor(
    private readonly protos: ProtoRegistry,
    private readonly side: SchemaSide,
    /** A message or an enum where it is used. */
    private readonly typeOf: (type: Referable) => JsonSchema,
  ) {}

  /** @param isOfRoot whether the field is one of the request itself. */
  of(member: MemberDesc, isOfRoot: boolean): JsonSchema {
    const schema = this.#valuesOf(member);
    const nullable = this.#mayBeNull(member, isOfRoot) ? orNull(schema) : schema;
    const description = cleanText(this.#words(member), LONGEST_PART);
    return {
      ...nullable,
      ...(description !== '' && { description }),
      ...(this.#behaves(member, OUTPUT_ONLY) && { readOnly: true }),
      ...(member.proto.options?.deprecated && { deprecated: true }),
    };
  }

  /**
   * Whether (google.api.field_behavior) says that the field must be set in requests; not of a field of a oneof, which
   * may have others.
   */
  isDemanded(field: DescField): boolean {
    return (
      field.oneof === undefined &&
      this.#behaves(field, REQUIRED) &&
      !this.#behaves(field, OUTPUT_ONLY)
    );
  }

  #valuesOf(member: MemberDesc): JsonSchema {
    if (this.side === 'output' || member.kind === 'extension') return this.#plain(member, {}, {});
    const { keywords, items, keys } = constraintsOf(this.protos, member);
    const required = requiredKeywords(this.protos, member);
    const schema = this.#plain(member, items, keys);
    const isSingle = member.fieldKind !== 'list' && member.fieldKind !== 'map';
    return merged(isSingle ? asRuled(schema, keywords) : { ...schema, ...keywords }, required);
  }

  #plain(member: MemberDesc, items: JsonSchema, keys: JsonSchema): JsonSchema {
    const one = this.#elementOf(member);
    if (member.fieldKind === 'list') return { type: 'array', items: asRuled(one, items) };
    if (member.fieldKind !== 'map') return one;
    const isInput = this.side === 'input';
    const propertyNames = isInput ? { ...keyForm(member.mapKey), ...keys } : {};
    return {
      type: 'object',
      ...(Object.keys(propertyNames).length > 0 && { propertyNames }),
      additionalProperties: asRuled(one, items),
    };
  }

  /** One value of a field. */
  #elementOf(member: MemberDesc): JsonSchema {
    const { message, enum: ofEnum, scalar } = member;
    if (message !== undefined) return this.typeOf(message);
    if (ofEnum === undefined) return scalarForm(scalar ?? ScalarType.STRING, this.side);
    const rules = member.kind === 'field' && this.side === 'input' ? this.#enumRules(member) : {};
    return Object.keys(rules).length > 0 ? enumForm(ofEnum, this.side, rules) : this.typeOf(ofEnum);
  }

  #enumRules(field: DescField): JsonSchema {
    const rules = rulesOf(this.protos, field) ?? {};
    if (field.fieldKind === 'list') return enumIn(rulesIn(rulesIn(rules, 'repeated'), 'items'));
    if (field.fieldKind === 'map') return enumIn(rulesIn(rulesIn(rules, 'map'), 'values'));
    return enumIn(rules);
  }

  /** Whether `null` leaves the field unset, and that is not refused. */
  #mayBeNull(member: MemberDesc, isOfRoot: boolean): boolean {
    if (this.side === 'output' || isNullValue(member)) return false;
    if (member.kind === 'extension') return true;
    if (isRival(this.protos, member) || mustBeSet(this.protos, member)) return false;
    return !(isOfRoot && this.isDemanded(member));
  }

  #words(member: MemberDesc): string {
    const { side, protos } = this;
    const isField = member.kind === 'field' && side === 'input';
    const words = [
      commentsOf(member),
      isField && this.isDemanded(member) ? 'Required.' : '',
      member.oneof === undefined
        ? ''
        : `Of the members of the oneof ${member.oneof.name} ${this.#howMany(member.oneof)} is set.`,
      isField ? ruleWords(protos, member) : '',
    ];
    return words.filter(Boolean).join('\n');
  }

  #howMany(oneof: DescOneof): string {
    const demandsOne = this.side === 'input' && oneofMustBeSet(this.protos, oneof);
    return demandsOne ? 'exactly one' : 'at most one';
  }

  #behaves(member: MemberDesc, behaviour: number): boolean {
    const option = this.protos.registry.getExtension('google.api.field_behavior');
    if (option === undefined) return false;
    return ((optionOf(member, option) ?? []) as readonly number[]).includes(behaviour);
  }
}

/** Whether others must not be set together with the field, of which the schema sees that they are there. */
function isRival(protos: ProtoRegistry, { oneof, parent, name }: DescField): boolean {
  return oneof !== undefined || exclusiveFields(protos, parent).flat().includes(name);
}

function enumIn(rules: JsonSchema): JsonSchema {
  return rules['ignore'] === 'IGNORE_ALWAYS' ? {} : rulesIn(rules, 'enum');
}

function isNullValue({ message, enum: ofEnum, fieldKind }: MemberDesc): boolean {
  if (fieldKind === 'list' || fieldKind === 'map') return false;
  return message?.typeName === 'google.protobuf.Value' || isNullEnum(ofEnum);
}

/** A value that meets rules: NaN and infinity, which are texts, meet none of those for numbers. */
function asRuled(schema: JsonSchema, keywords: JsonSchema): JsonSchema {
  if (Object.keys(keywords).length === 0) return schema;
  const { type, pattern: _, ...rest } = schema;
  const isFloating = Array.isArray(type) && type[0] === 'number';
  return isFloating ? { type: 'number', ...rest, ...keywords } : { ...schema, ...keywords };
}

function merged(schema: JsonSchema, more: JsonSchema): JsonSchema {
  return schema['not'] !== undefined && more['not'] !== undefined
    ? { ...schema, not: { anyOf: [schema['not'], more['not']] } }
    : { ...schema, ...more };
}

/** The same, or `null`. */
function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, description, ...others } = schema;
  // Anything at all.
  if (Object.keys(schema).length === 0) return schema;
  const told = description === undefined ? {} : { description };
  const { anyOf, ...besides } = others;
  if (type === undefined && values === undefined && Object.keys(besides).length === 0) {
    return { anyOf: [...(anyOf as readonly JsonSchema[]), { type: 'null' }], ...told };
  }
  if (type === undefined || OTHER_KEYWORDS.some((keyword) => keyword in schema)) {
    const { description: _, ...form } = schema;
    return { anyOf: [form, { type: 'null' }], ...told };
  }
  return {
    ...schema,
    type: [type, 'null'].flat(),
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}

/** Keywords that say something of `null` too. */
const OTHER_KEYWORDS = ['$ref', 'not', 'anyOf', 'const'];
