import type { HttpRuleInit } from '@apix/gateway/core';
import type { ProtoRegistry } from '@apix/proto/core';
import type { DescMethod } from '@bufbuild/protobuf';

/** Of google.api.http, on MethodOptions (google/api/annotations.proto). */
const HTTP_OPTION = 72_295_728;

/** Services that gRPC servers have for tools, and that are not for callers of REST. */
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

function selectorOf({ parent, name }: DescMethod): string {
  return `${parent.typeName}.${name}`;
}

/** Options that this process has no code for are kept as unknown fields. */
function hasHttpOption({ proto }: DescMethod): boolean {
  return proto.options?.$unknown?.some(({ no }) => no === HTTP_OPTION) === true;
}
