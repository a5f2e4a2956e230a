import {
  type JsonSchema,
  type Rules,
  constraintsOf,
  isIgnored,
  isInverted,
  messageRulesOf,
  nestedRules,
  rulesIn,
  rulesOf,
} from '@apix/proto/internal';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescField, DescMessage } from '@bufbuild/protobuf';

const BOUNDS = ['gt', 'gte', 'lt', 'lte'];
const NUMBER = [...BOUNDS, 'in', 'const', 'finite'];
const FORMATS = ['email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uriRef', 'uuid'];
/** The rules that are keywords of a schema, by type. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLen', 'maxLen', 'len', 'pattern', 'in', 'const', ...FORMATS],
  enum: ['const', 'in', 'notIn', 'definedOnly'],
  repeated: ['minItems', 'maxItems', 'unique', 'items'],
  map: ['minPairs', 'maxPairs', 'keys', 'values'],
  ...Object.fromEntries(
    ['float', 'double', 'int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'].map((type) => [
      type,
      NUMBER,
    ]),
  ),
};
/** Members that are no rules of a type. */
const OTHERS = new Set(['required', 'ignore', 'cel', 'celExpression']);
/** Rules that demand nothing of a value. */
const SILENT = new Set(['example', 'strict']);

/** The rules of protovalidate for a field that no keyword says, CEL among them, in words; empty for none. */
export function ruleWords(protos: ProtoRegistry, field: DescField): string {
  const rules = rulesOf(protos, field);
  if (rules === undefined || isIgnored(rules)) return '';
  const { items, values } = nestedRules(rules);
  const keys = rulesIn(rulesIn(rules, 'map'), 'keys');
  const said = constraintsOf(protos, field);
  return sentence([
    ...unsaid(rules, said.keywords),
    ...unsaid(items ?? {}, said.items).map((word) => `each item: ${word}`),
    ...unsaid(keys, said.keys).map((word) => `each key: ${word}`),
    ...unsaid(values ?? {}, said.items).map((word) => `each value: ${word}`),
  ]);
}

/** The rules of a message in CEL, in words; empty for none. */
export function messageRuleWords(protos: ProtoRegistry, desc: DescMessage): string {
  return sentence(celWords(messageRulesOf(protos, desc) ?? {}));
}

function sentence(words: readonly string[]): string {
  return words.length === 0 ? '' : `Rules: ${words.join('; ')}.`;
}

/** @param said the keywords that the rules have become. */
function unsaid(rules: Rules, said: JsonSchema): string[] {
  if (isIgnored(rules)) return [];
  const words = celWords(rules);
  for (const [type, value] of Object.entries(rules)) {
    if (OTHERS.has(type) || typeof value !== 'object' || value === null) continue;
    const ofType = value as Rules;
    for (const [name, demand] of Object.entries(ofType)) {
      if (SILENT.has(name) || demand === false) continue;
      const isSaid =
        KEYWORDS[type]?.includes(name) === true &&
        !(name === 'pattern' && said['pattern'] === undefined) &&
        !(BOUNDS.includes(name) && isInverted(ofType));
      if (!isSaid) words.push(demand === true ? wordOf(name) : `${wordOf(name)} ${shown(demand)}`);
    }
  }
  return words;
}

/** `not in` for `notIn`. */
function wordOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function shown(demand: unknown): string {
  return typeof demand === 'string' && /^-?[0-9]/.test(demand) ? demand : JSON.stringify(demand);
}

function celWords(rules: Rules): string[] {
  const cel = (rules['cel'] ?? []) as readonly CelRule[];
  const expressions = (rules['celExpression'] ?? []) as readonly string[];
  return [...cel.map(({ message, expression }) => message || expression || ''), ...expressions];
}

/** A rule in CEL. */
interface CelRule {
  readonly message?: string;
  readonly expression?: string;
}
