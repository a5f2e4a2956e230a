import { type ProtoRegistry } from '@apix/proto/core';
import {
  type Rules,
  exclusiveFields,
  isForSome,
  isRequired,
  rulesIn,
  rulesOf,
} from '@apix/proto/internal';
import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { FieldBehavior } from '../../gen/google/api/field_behavior_pb.js';
import { namesBelow } from '../../rules/binding.js';
import { type JsonStyle, behavioursOf, commentExample, memberName } from '../declarations.js';
import { durationSample, fitsNumber, numberSample, timestampSample } from './ordered-sample.js';
import { fitsText, textSample } from './text-sample.js';

/** A JSON value; undefined if there is no sample that fits. */
export type SampleValue = string | number | boolean | null | readonly SampleValue[] | SampleObject;
export interface SampleObject {
  readonly [name: string]: SampleValue;
}

/** Values that only the server can give; without them a request is the first of its kind (AIP-154, AIP-158). */
const GIVEN_BY_SERVER = new Set(['page_token', 'etag']);
const NO_RULES: Rules = {};

const { UINT32, FIXED32, UINT64, FIXED64, INT64, SINT64, SFIXED64 } = ScalarType;
const UNSIGNED: ReadonlySet<ScalarType> = new Set([UINT32, FIXED32, UINT64, FIXED64]);
/** Those that are texts in JSON. */
const LONG: ReadonlySet<ScalarType> = new Set([UINT64, FIXED64, INT64, SINT64, SFIXED64]);

/**
 * Requests that a server takes, or the responses it may give: from the examples of comments and rules, the
 * rules of protovalidate and field behaviour. CEL is not evaluated.
 */
// Why: docs/decisions/0325
export class Samples {
  constructor(
    private readonly protos: ProtoRegistry,
    private readonly style: JsonStyle,
    private readonly side: 'request' | 'response',
  ) {}

  /**
   * A message as its side sends it: one member of each oneof; in a request nothing that is the server's. Without fields
   * that not every caller sees, of which a mask in a request may not speak either.
   *
   * @param without fields that are given elsewhere, such as in the path; dotted names from this message down.
   */
  ofMessage(desc: DescMessage, without: ReadonlySet<string> = new Set()): SampleValue | undefined {
    return this.#message(desc, NO_RULES, without, []);
  }

  /** The value of a field. */
  ofField(field: DescField, without: ReadonlySet<string> = new Set()): SampleValue | undefined {
    return this.#field(field, without, [field.parent.typeName]);
  }

  /** The sample for a field in a path or a query; undefined if it is not a single value. */
  asText(field: DescField): string | undefined {
    const sample = this.ofField(field);
    return typeof sample === 'object' || sample === undefined ? undefined : String(sample);
  }

  #message(
    desc: DescMessage,
    rules: Rules,
    without: ReadonlySet<string>,
    above: readonly string[],
  ): SampleValue | undefined {
    if (isWrapperDesc(desc)) return this.#scalar(desc.fields[0].scalar, rules, 'text');
    switch (desc.typeName) {
      case 'google.protobuf.Timestamp':
        return timestampSample(rulesIn(rules, 'timestamp'));
      case 'google.protobuf.Duration':
        return durationSample(rulesIn(rules, 'duration'));
      case 'google.protobuf.Struct':
        return { key: 'value' };
      case 'google.protobuf.Value':
        return 'value';
      case 'google.protobuf.ListValue':
        return ['value'];
      case 'google.protobuf.Any':
      case 'google.protobuf.FieldMask':
        return undefined;
      default:
        return above.includes(desc.typeName)
          ? undefined
          : this.#object(desc, without, [...above, desc.typeName]);
    }
  }

  #object(desc: DescMessage, without: ReadonlySet<string>, above: readonly string[]): SampleObject {
    const members: Record<string, SampleValue> = {};
    const masks: DescField[] = [];
    const taken = new Set<unknown>();
    const exclusive = exclusiveFields(this.protos, desc);
    for (const field of desc.fields) {
      if (without.has(field.name) || isForSome(field) || !this.#isSent(field)) continue;
      const choices = [field.oneof, ...exclusive.filter((names) => names.includes(field.name))];
      if (choices.some((choice) => choice !== undefined && taken.has(choice))) continue;
      if (field.message?.typeName === 'google.protobuf.FieldMask') masks.push(field);
      const sample = this.#field(field, namesBelow(without, field.name), above);
      if (sample === undefined) continue;
      members[this.#nameOf(field)] = sample;
      for (const choice of choices) taken.add(choice);
    }
    for (const mask of masks) {
      const paths = this.#maskPaths(desc, members);
      if (paths !== undefined) members[this.#nameOf(mask)] = paths;
    }
    return members;
  }

  /** A mask names the fields that the sample of the message has (AIP-134). */
  #maskPaths(
    desc: DescMessage,
    members: Readonly<Record<string, SampleValue>>,
  ): string | undefined {
    for (const field of desc.fields) {
      const { message } = field;
      const sample = members[this.#nameOf(field)];
      if (field.fieldKind !== 'message' || message === undefined) continue;
      if (typeof sample !== 'object' || sample === null) continue;
      const inside = message.fields.filter(
        (each) => this.#nameOf(each) in sample && !this.#is(each, FieldBehavior.IDENTIFIER),
      );
      return inside.map(({ jsonName }) => jsonName).join(',');
    }
    return undefined;
  }

  #field(
    field: DescField,
    without: ReadonlySet<string>,
    above: readonly string[],
  ): SampleValue | undefined {
    const rules = rulesOf(this.protos, field) ?? NO_RULES;
    switch (field.fieldKind) {
      case 'list': {
        const list = rulesIn(rules, 'repeated');
        const one = this.#one(field, rulesIn(list, 'items'), new Set(), above);
        return one === undefined ? undefined : several(one, Number(list['minItems'] ?? 1));
      }
      case 'map': {
        const map = rulesIn(rules, 'map');
        const key = this.#scalar(field.mapKey, rulesIn(map, 'keys'), 'key');
        const value = this.#one(field, rulesIn(map, 'values'), new Set(), above);
        return key === undefined || value === undefined ? undefined : { [String(key)]: value };
      }
      case 'scalar':
      case 'enum':
      case 'message':
        return this.#one(field, rules, without, above);
    }
  }

  /** One element of a field. */
  #one(
    field: DescField,
    rules: Rules,
    without: ReadonlySet<string>,
    above: readonly string[],
  ): SampleValue | undefined {
    if (field.message !== undefined) return this.#message(field.message, rules, without, above);
    if (field.enum !== undefined) return this.#enum(field.enum, rulesIn(rules, 'enum'));
    if (!('scalar' in field) || field.scalar === undefined) return undefined;
    const fromComment =
      field.fieldKind === 'map' ? undefined : commentExample(this.protos.comments(field));
    return this.#scalar(
      field.scalar,
      rules,
      field.fieldKind === 'map' ? 'value' : field.name.replaceAll('_', ' '),
      fromComment,
    );
  }

  #enum({ values }: DescEnum, rules: Rules): SampleValue | undefined {
    const fitting = values.filter(({ number }) => fitsNumber(rules, String(number)));
    const [example] = (rules['example'] ?? []) as readonly number[];
    // Zero says that nothing is fromComment.
    const chosen =
      fitting.find(({ number }) => number === example) ??
      fitting.find(({ number }) => number !== 0) ??
      fitting[0];
    return this.style.enumsAsNumbers ? chosen?.number : chosen?.name;
  }

  /** @param fromComment the example of a comment, for a field whose rules have none. */
  #scalar(
    type: ScalarType,
    all: Rules,
    words: string,
    fromComment?: string,
  ): string | number | boolean | undefined {
    // The rules of a type are called as the type is.
    const own = rulesIn(all, ScalarType[type].toLowerCase());
    const rules = {
      ...own,
      example: own['example'] ?? (fromComment === undefined ? [] : [fromComment]),
    };
    if (type === ScalarType.STRING) return textSample(rules, words);
    if (type === ScalarType.BYTES) return bytesSample(own);
    if (type === ScalarType.BOOL) return own['const'] === true;
    const isWhole = type !== ScalarType.DOUBLE && type !== ScalarType.FLOAT;
    const text = numberSample(rules, { isWhole, isUnsigned: UNSIGNED.has(type) });
    return text === undefined || LONG.has(type) ? text : Number(text);
  }

  /** Whether a side sends a field. A caller sends a resource's own name only where it must not be empty. */
  #isSent(field: DescField): boolean {
    if (isRequired(field)) return true;
    if (field.deprecated) return false;
    if (this.side === 'response') return !this.#is(field, FieldBehavior.INPUT_ONLY);
    if (this.#is(field, FieldBehavior.OUTPUT_ONLY)) return false;
    if (GIVEN_BY_SERVER.has(field.name)) return false;
    if (!this.#is(field, FieldBehavior.IDENTIFIER)) return true;
    const rules = rulesOf(this.protos, field) ?? NO_RULES;
    return rules['required'] === true || !fitsText(rulesIn(rules, 'string'), '');
  }

  #is(field: DescField, behaviour: FieldBehavior): boolean {
    return behavioursOf(field).includes(behaviour);
  }

  #nameOf(field: DescField): string {
    return memberName(field, this.style);
  }
}

function several(one: SampleValue, count: number): readonly SampleValue[] {
  return Array.from({ length: Math.max(1, Math.min(count, 100)) }, () => one);
}

function bytesSample(rules: Rules): string | undefined {
  const [example] = [rules['example'], rules['const'], rules['in']].flat().filter(Boolean);
  if (typeof example === 'string') return example;
  const least = Number(rules['len'] ?? rules['minLen'] ?? 0);
  const most = Number(rules['len'] ?? rules['maxLen'] ?? Infinity);
  const length = Math.min(Math.max(5, least), most);
  return Buffer.from('hello'.padEnd(length, 'hello').slice(0, length)).toString('base64');
}
