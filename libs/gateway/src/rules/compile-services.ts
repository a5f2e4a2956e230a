import { Mistakes, shownValue, thrownText } from '@apix/contracts';
import { type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { GatewayConfigError } from '../errors.js';
import { http } from '../gen/google/api/annotations_pb.js';
import { RouteTable } from '../template/route-table.js';
import { type Binding, describeBinding } from './binding.js';
import { compileRule } from './compile-rule.js';
import { type HttpRuleInit, readRules } from './extra-rules.js';

/** Everything that the gateway serves. */
export interface Routes {
  readonly bindings: readonly Binding[];
  readonly table: RouteTable<Binding>;
}

/**
 * Compiles the HTTP rules of all methods of some services.
 *
 * @param extra rules that replace those in the .proto files.
 * @throws GatewayConfigError that lists every mistake of every rule; two bindings of the same HTTP method
 *   and path shape are one, and so is not an HTTP rule at all.
 */
export function compileServices(
  services: Iterable<DescService>,
  extra: readonly HttpRuleInit[] = [],
): Routes {
  const mistakes = new Mistakes();
  const routes = readServices(services, extra, mistakes);
  mistakes.throwIfAny((found) => new GatewayConfigError(found));
  return routes;
}

/** The same, noting the mistakes. */
export function readServices(
  services: Iterable<DescService>,
  extra: readonly HttpRuleInit[],
  mistakes: Mistakes,
): Routes {
  const before = mistakes.found.length;
  const bindings: Binding[] = [];
  const extraRules = readRules(extra, mistakes);
  for (const method of methodsOf(services)) {
    const name = `${method.parent.typeName}.${method.name}`;
    const own = ownRule(method, name, mistakes);
    const rule = extraRules.get(name) ?? own;
    extraRules.delete(name);
    if (rule === undefined) continue;
    const report = (mistake: string): void => mistakes.add(name, mistake);
    bindings.push(...compileRule(method, rule, report));
  }
  for (const selector of extraRules.keys()) {
    mistakes.add('rules', `the descriptors have no method ${shownValue(selector)}`);
  }
  if (bindings.length === 0 && mistakes.found.length === before) {
    mistakes.add(
      '',
      'no HTTP rule found: give at least one method an option (google.api.http) and build the ' +
        'descriptors with imports (buf build, or protoc --include_imports)',
    );
  }
  const table = new RouteTable<Binding>();
  for (const binding of bindings) {
    const taken = table.add(binding.httpMethod, binding.template, binding);
    if (taken === undefined) continue;
    mistakes.add(
      '',
      `${describeBinding(binding)} and ${describeBinding(taken)} match the same requests: ` +
        'change one of them',
    );
  }
  return { bindings, table };
}

function* methodsOf(services: Iterable<DescService>): Iterable<DescMethod> {
  for (const service of services) yield* service.methods;
}

/** The rule in the .proto file of a method; one that is broken is noted. */
function ownRule(method: DescMethod, name: string, mistakes: Mistakes) {
  try {
    return hasOption(method, http) ? getOption(method, http) : undefined;
  } catch (error) {
    mistakes.add(name, `the option (google.api.http) cannot be decoded: ${thrownText(error)}`);
    return undefined;
  }
}
