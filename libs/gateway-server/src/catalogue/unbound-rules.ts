import type { HttpRuleInit } from '@apix/gateway/core';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescMethod } from '@bufbuild/protobuf';

/** Field number of google.api.http in MethodOptions (google/api/annotations.proto). */
const HTTP_OPTION = 72_295_728;

/** Services that gRPC servers provide for tools, and that are not for callers of a gateway. */
const OF_GRPC = /^grpc\.(?:reflection|health|channelz)\./;

/** `POST /<package>.<Service>/<Method>`, the path of gRPC itself, for methods without a rule. */
export function unboundRules(
  registry: ProtoRegistry,
  rules: readonly HttpRuleInit[],
): readonly HttpRuleInit[] {
  const bound = new Set(rules.map(({ selector }) => selector));
  return [...registry.methods]
    .filter(([, { parent }]) => !OF_GRPC.test(parent.typeName))
    .map(([fullName, method]) => ({ fullName, method, selector: selectorOf(method) }))
    .filter(({ method, selector }) => !bound.has(selector) && !hasHttpOption(method))
    .map(({ fullName, selector }) => ({ selector, post: fullName, body: '*' }));
}

/** The methods for tools that have no rule, by name: no protocol serves them unasked. */
export function toolMethods(
  registry: ProtoRegistry,
  rules: readonly HttpRuleInit[],
): readonly string[] {
  const bound = new Set(rules.map(({ selector }) => selector));
  return [...registry.methods.values()]
    .filter(({ parent }) => OF_GRPC.test(parent.typeName))
    .map(selectorOf)
    .filter((selector) => !bound.has(selector));
}

/** Whether a method has a rule, in its .proto file or among those of a file. */
export function hasAnyRule(registry: ProtoRegistry, rules: readonly HttpRuleInit[]): boolean {
  return rules.length > 0 || [...registry.methods.values()].some(hasHttpOption);
}

/** The name of a method in selectors of rules. */
export function selectorOf({ parent, name }: DescMethod): string {
  return `${parent.typeName}.${name}`;
}

/** Options that have no generated code in this process are kept as unknown fields. */
function hasHttpOption({ proto }: DescMethod): boolean {
  return proto.options?.$unknown?.some(({ no }) => no === HTTP_OPTION) === true;
}
