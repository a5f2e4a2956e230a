import { Mistakes } from '@apix/contracts';
import { type ReachedHandler } from '@apix/contracts/internal';
import { fullMethodName } from '@apix/proto/core';
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import { type Binding, describeBinding } from '../../rules/binding.js';
import {
  type Routes,
  type ServedRules,
  readServices,
  servedMethods,
} from '../../rules/compile-services.js';
import { RouteTable } from '../../template/route-table.js';

/** A method and its path. */
export class RpcRoute {
  readonly #reached = new Map<string | undefined, ReachedHandler>();

  constructor(
    readonly method: DescMethod,
    /** `/<package.Service>/<Method>`. */
    readonly fullName: string,
    readonly path: string,
  ) {}

  /** What loggers and tracers get to know of a request. */
  reachedBy(protocol: string | undefined): ReachedHandler {
    let reached = this.#reached.get(protocol);
    if (reached === undefined) {
      reached = { route: this.path, handler: this.fullName, protocol };
      this.#reached.set(protocol, reached);
    }
    return reached;
  }
}

/** The methods that are served by their names. A path has one spelling, that of its method. */
export class RpcRoutes {
  readonly methods: readonly DescMethod[];
  #byPath = new Map<string, RpcRoute>();

  /** @param prefixOf what the path of a method has before its name. */
  constructor(methods: readonly DescMethod[], prefixOf: (fullName: string) => string) {
    this.methods = methods;
    this.place(prefixOf);
  }

  /** Puts the paths below other prefixes. */
  place(prefixOf: (fullName: string) => string): void {
    this.#byPath = new Map(
      this.methods.map((method) => {
        const name = fullMethodName(method);
        const path = prefixOf(name) + name;
        return [path, new RpcRoute(method, name, path)] as const;
      }),
    );
  }

  find(path: string): RpcRoute | undefined {
    return this.#byPath.get(path);
  }
}

/** Notes rules whose very path is that of a method: a request could mean either. */
function checkRivals(
  methods: readonly DescMethod[],
  bindings: readonly Binding[],
  mistakes: Mistakes,
): void {
  const names = new Set(methods.map((method) => fullMethodName(method)));
  for (const binding of bindings) {
    const { source } = binding.template;
    if (!names.has(source)) continue;
    mistakes.add(
      '',
      `${describeBinding(binding)} has the path at which the other protocols serve ${source.slice(1)}: ` +
        'change the rule, or leave the method out by exclude',
    );
  }
}

/** What a gateway serves. */
export interface ServedRoutes extends Routes {
  /** By their names. */
  readonly methods: readonly DescMethod[];
}

/** Reads what protocols serve of services; mistakes are noted. */
export function readServed(
  services: Iterable<DescService>,
  options: ServedRules,
  protocols: ReadonlySet<string>,
  mistakes: Mistakes,
): ServedRoutes {
  const hasRest = protocols.has('rest');
  const hasOthers = protocols.size > (hasRest ? 1 : 0);
  // The same mistakes are found with the rules.
  const notes = hasRest ? new Mistakes() : mistakes;
  const methods = hasOthers ? servedMethods(services, options.exclude ?? [], notes) : [];
  if (!hasRest) {
    if ((options.rules ?? []).length > 0) mistakes.add('rules', 'need the protocol rest');
    return { bindings: [], table: new RouteTable<Binding>(), methods };
  }
  const mayBeEmpty = hasOthers || options.mayBeEmpty;
  const routes = readServices(services, { ...options, mayBeEmpty }, mistakes);
  if (hasOthers) checkRivals(methods, routes.bindings, mistakes);
  return { ...routes, methods };
}
