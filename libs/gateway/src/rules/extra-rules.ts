import { type Mistakes, shownValue, thrownText } from '@apix/contracts';
import { isRecord, optionPath, refuseUnknown } from '@apix/contracts/internal';
import { type DescMessage, type JsonValue, fromJson } from '@bufbuild/protobuf';
import { type HttpRule, HttpRuleSchema } from '../gen/google/api/http_pb.js';

/** One HTTP method and path, and what the body is: the members of a google.api.HttpRule. */
export interface HttpBindingInit {
  readonly get?: string;
  readonly put?: string;
  readonly post?: string;
  readonly delete?: string;
  readonly patch?: string;
  readonly custom?: { readonly kind: string; readonly path: string };
  readonly body?: string;
  readonly responseBody?: string;
}

/** A google.api.HttpRule in its JSON form, for a method whose .proto file has no rule or another one. */
export interface HttpRuleInit extends HttpBindingInit {
  /** Full name of the method, `shop.v1.Catalog.Get`; no patterns. */
  readonly selector: string;
  readonly additionalBindings?: readonly HttpBindingInit[];
}

/** Rules by the full name of their method; of several for one the last holds (`google.api.Http`). */
export function readRules(
  rules: readonly HttpRuleInit[],
  mistakes: Mistakes,
): Map<string, HttpRule> {
  const bySelector = new Map<string, HttpRule>();
  if (!Array.isArray(rules)) {
    mistakes.add('rules', `must be a list of HTTP rules, not ${shownValue(rules)}`);
    return bySelector;
  }
  rules.forEach((init: HttpRuleInit, index) => {
    const before = mistakes.found.length;
    refuseUnknownMembers(HttpRuleSchema, init, `rules[${index}]`, mistakes);
    if (mistakes.found.length > before) return;
    try {
      const rule = fromJson(HttpRuleSchema, init as unknown as JsonValue);
      bySelector.set(rule.selector, rule);
    } catch (error) {
      mistakes.add(`rules[${index}]`, thrownText(error));
    }
  });
  return bySelector;
}

/** Notes members that a message does not have, which `fromJson` would name without the one that is meant. */
function refuseUnknownMembers(
  { fields }: DescMessage,
  given: unknown,
  at: string,
  mistakes: Mistakes,
): void {
  if (!isRecord(given)) return;
  const known = fields.flatMap(({ name, jsonName }) => [jsonName, name]);
  refuseUnknown(given, [...new Set(known)], at, mistakes);
  for (const { name, jsonName, message } of fields) {
    if (message === undefined) continue;
    const member = given[jsonName] ?? given[name];
    const place = optionPath(at, jsonName);
    if (!Array.isArray(member)) refuseUnknownMembers(message, member, place, mistakes);
    else {
      member.forEach((each, i) => refuseUnknownMembers(message, each, `${place}[${i}]`, mistakes));
    }
  }
}
