import type { ProtoRegistry } from '@apix/proto/core';
import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { type Rules, messageRulesOf, rulesIn, rulesOf } from '../field-rules.js';

/** Whether a message, or one that it may hold, has rules in CEL, which no sample is made for. */
export function hasCel(protos: ProtoRegistry, desc: DescMessage): boolean {
  const reached = new Set([desc]);
  for (const type of reached) {
    if (isCel(messageRulesOf(protos, type) ?? {})) return true;
    for (const field of type.fields) {
      if (fieldHasCel(protos, field)) return true;
      if (field.message !== undefined) reached.add(field.message);
    }
  }
  return false;
}

function fieldHasCel(protos: ProtoRegistry, field: DescField): boolean {
  const rules = rulesOf(protos, field) ?? {};
  const map = rulesIn(rules, 'map');
  const inside = [rulesIn(rulesIn(rules, 'repeated'), 'items'), rulesIn(map, 'keys')];
  return [rules, rulesIn(map, 'values'), ...inside].some(isCel);
}

function isCel(rules: Rules): boolean {
  return [rules['cel'], rules['celExpression']].flat().some((rule) => rule !== undefined);
}
