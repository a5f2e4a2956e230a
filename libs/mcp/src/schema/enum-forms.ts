import { type JsonSchema, type Rules, commentsOf, textsIn } from '@apix/proto/internal';
import type { DescEnum } from '@bufbuild/protobuf';
import { LONGEST_PART, cleanLine, cleanText } from '../tools/tool-text.js';
import type { SchemaSide } from './value-forms.js';

const NULL_VALUE = 'google.protobuf.NullValue';

/** Whether `null` is a value of the enum. */
export function isNullEnum(desc: DescEnum | undefined): boolean {
  return desc?.typeName === NULL_VALUE;
}

/**
 * The JSON of an enum: names first, which people and models read, and numbers, which the codec takes too. An open
 * enum has numbers without a name.
 *
 * @param rules of protovalidate for enums.
 */
export function enumForm(desc: DescEnum, side: SchemaSide, rules: Rules = {}): JsonSchema {
  if (side === 'output') {
    if (isNullEnum(desc)) return { type: 'null' };
    return { anyOf: [{ type: 'string', enum: namesOf(desc.values) }, { type: 'integer' }] };
  }
  const refused = new Set(textsIn(rules, 'notIn'));
  const wanted = [...textsIn(rules, 'in'), ...textsIn(rules, 'const')];
  const values = desc.values.filter(({ number }) => {
    const text = String(number);
    return !refused.has(text) && (wanted.length === 0 || wanted.includes(text));
  });
  const numbers = [...new Set(values.map(({ number }) => number))];
  const isClosed = !desc.open || rules['definedOnly'] === true || wanted.length > 0;
  if (isClosed) return { enum: [...namesOf(values), ...numbers] };
  const others = [...refused].map(Number);
  const integer = {
    type: 'integer',
    minimum: -2_147_483_648,
    maximum: 2_147_483_647,
    ...(others.length > 0 && { not: { enum: others } }),
  };
  const forms = [{ type: 'string', enum: namesOf(values) }, integer];
  return { anyOf: isNullEnum(desc) ? [{ type: 'null' }, ...forms] : forms };
}

function namesOf(values: DescEnum['values']): string[] {
  return values.map(({ jsonName }) => jsonName);
}

/** The comments of an enum and of its values. */
export function enumDescription(desc: DescEnum): string {
  const lines = desc.values.flatMap((value) => {
    const comment = cleanLine(commentsOf(value), LONGEST_PART);
    return comment === '' ? [] : [`${value.jsonName}: ${comment}`];
  });
  return cleanText([commentsOf(desc), ...lines].join('\n'), LONGEST_PART);
}
