import { Mistakes, shownValue, thrownText } from '@apix/contracts';
import { METHOD_PATTERN, meansMethod, withDots } from '@apix/proto/internal';
import { type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { GatewayConfigError } from '../errors.js';
import { http } from '../gen/google/api/annotations_pb.js';
import type { HttpRule } from '../gen/google/api/http_pb.js';
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
 * @param exclude methods that are left out, with whatever is wrong with their rules.
 * @throws GatewayConfigError that lists every mistake of every rule; two bindings of the same HTTP method
 *   and path shape are one, and so is not an HTTP rule at all.
 */
export function compileServices(
  services: Iterable<DescService>,
  extra: readonly HttpRuleInit[] = [],
  exclude: readonly string[] = [],
): Routes {
  const mistakes = new Mistakes();
  const routes = readServices(services, { rules: extra, exclude }, mistakes);
  mistakes.throwIfAny((found) => new GatewayConfigError(found));
  return routes;
}

/** What says which methods are served, in addition to the descriptors. */
export interface ServedRules {
  readonly rules?: readonly HttpRuleInit[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** Whether there may be no rule at all, as methods are served in other ways too. Default: false. */
  readonly mayBeEmpty?: boolean | undefined;
}

/** The methods of some services that are not left out; what is wrong with `exclude` is noted. */
export function servedMethods(
  services: Iterable<DescService>,
  exclude: readonly string[],
  mistakes: Mistakes,
): DescMethod[] {
  const methods = [...methodsOf(services)];
  const excluded = new ExcludedMethods(exclude, methods.map(nameOf), mistakes);
  return methods.filter((method) => !excluded.has(nameOf(method)));
}

/** The same, noting the mistakes. */
export function readServices(
  services: Iterable<DescService>,
  { rules = [], exclude = [], mayBeEmpty = false }: ServedRules,
  mistakes: Mistakes,
): Routes {
  const before = mistakes.found.length;
  const bindings: Binding[] = [];
  const extraRules = readRules(rules, mistakes);
  const methods = [...methodsOf(services)];
  const excluded = new ExcludedMethods(exclude, methods.map(nameOf), mistakes);
  for (const method of methods) {
    const name = nameOf(method);
    const extra = extraRules.get(name);
    extraRules.delete(name);
    if (excluded.has(name)) continue;
    const rule = ruleOf(method, name, mistakes, extra);
    if (rule === undefined) continue;
    const report = (mistake: string): void =>
      mistakes.add(name, `${mistake}; correct the rule, or leave the method out by exclude`);
    bindings.push(...compileRule(method, rule, report));
  }
  for (const selector of extraRules.keys()) {
    mistakes.add('rules', `the descriptors have no method ${shownValue(selector)}`);
  }
  if (bindings.length === 0 && !mayBeEmpty && mistakes.found.length === before) {
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

function nameOf({ parent, name }: DescMethod): string {
  return `${parent.typeName}.${name}`;
}

/** The rule of a method: that of the options, or that in its .proto file. One that is broken is noted. */
function ruleOf(
  method: DescMethod,
  name: string,
  mistakes: Mistakes,
  extra: HttpRule | undefined,
): HttpRule | undefined {
  try {
    const own = hasOption(method, http) ? getOption(method, http) : undefined;
    return extra ?? own;
  } catch (error) {
    mistakes.add(name, `the option (google.api.http) cannot be decoded: ${thrownText(error)}`);
    return undefined;
  }
}

/** The methods that are left out, as the option `exclude` names them. */
export class ExcludedMethods {
  readonly #names = new Set<string>();

  /**
   * @param patterns `shop.v1.Orders.Cancel`, or `shop.v1.Orders.*` and `shop.v1.*` for all below; as paths of
   *   gRPC, `/shop.v1.Orders/Cancel`, too.
   * @param methods the full names of all methods. A pattern that means none of them is a mistake.
   */
  constructor(patterns: readonly string[], methods: readonly string[], mistakes: Mistakes) {
    patterns.forEach((given, index) => {
      const at = `exclude[${index}]`;
      const pattern = withDots(given);
      if (!METHOD_PATTERN.test(pattern)) {
        mistakes.add(
          at,
          `${shownValue(given)} is not a method such as shop.v1.Orders.Cancel, nor shop.v1.Orders.*`,
        );
        return;
      }
      const meant = methods.filter((name) => meansMethod(pattern, name));
      if (meant.length === 0) {
        mistakes.add(at, `the descriptors have no method ${shownValue(given)}`);
      }
      for (const name of meant) this.#names.add(name);
    });
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }
}
