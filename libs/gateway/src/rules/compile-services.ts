import { type DescMethod, type DescService, getOption, hasOption } from '@bufbuild/protobuf';
import { GatewayConfigError } from '../errors.js';
import { http } from '../gen/google/api/annotations_pb.js';
import { RouteTable } from '../template/route-table.js';
import { type Binding, describeBinding } from './binding.js';
import { compileRule } from './compile-rule.js';

/** Everything that the gateway serves. */
export interface Routes {
  readonly bindings: readonly Binding[];
  readonly table: RouteTable<Binding>;
}

/**
 * Compiles the HTTP rules of all methods of some services.
 *
 * @throws GatewayConfigError that lists every mistake of every rule; two bindings of the same
 * HTTP method and path shape are one, and so is no HTTP rule at all.
 */
export function compileServices(services: Iterable<DescService>): Routes {
  const mistakes: string[] = [];
  const bindings: Binding[] = [];
  for (const method of methodsOf(services)) {
    if (!hasOption(method, http)) continue;
    const name = `${method.parent.typeName}.${method.name}`;
    const report = (mistake: string): unknown => mistakes.push(`${name}: ${mistake}`);
    bindings.push(...compileRule(method, getOption(method, http), report));
  }
  if (bindings.length === 0 && mistakes.length === 0) {
    mistakes.push(
      'no HTTP rule found: give at least one method an option (google.api.http) and build the ' +
        'descriptors with imports (buf build, or protoc --include_imports)',
    );
  }
  const table = new RouteTable<Binding>();
  for (const binding of bindings) {
    const taken = table.add(binding.httpMethod, binding.template, binding);
    if (taken === undefined) continue;
    mistakes.push(
      `${describeBinding(binding)} and ${describeBinding(taken)} match the same requests: ` +
        'change one of them',
    );
  }
  if (mistakes.length > 0) throw new GatewayConfigError(mistakes);
  return { bindings, table };
}

function* methodsOf(services: Iterable<DescService>): Iterable<DescMethod> {
  for (const service of services) yield* service.methods;
}
