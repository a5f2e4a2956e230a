import 'reflect-metadata';
import type { ModulesContainer } from '@nestjs/core';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import type { RequestShape } from '../conditions/request-shape.js';
import type { ResourceLoad } from '../conditions/resource-load.js';
import { PolicyError } from '../errors.js';

const LOADS = 'apix:authz:loads';

/** What a class loads. */
interface LoadedType {
  readonly type: string;
  /** Undefined: messages of the descriptors. */
  readonly members: RequestShape | undefined;
}

/** Notes on a class which records it loads. */
export function markLoader(target: object, loads: LoadedType): void {
  Reflect.defineMetadata(LOADS, loads, target);
}

/** The provider of a loader, as Nest keeps it. */
interface LoaderProvider {
  readonly name: unknown;
  readonly metatype: unknown;
  readonly instance: unknown;
  isDependencyTreeStatic(): boolean;
}

/** The providers with `@ResourceLoader`; found before they are instances, so that the policies can be checked. */
export class ResourceLoaders {
  readonly #providers = new Map<string, Set<LoaderProvider>>();
  readonly #recordTypes = new Map<string, RequestShape>();

  constructor(modules: ModulesContainer) {
    const classes = new Map<unknown, LoaderProvider>();
    for (const { providers } of modules.values()) {
      for (const provider of providers.values()) {
        const loads = loadsOf(provider.metatype);
        // One class in several modules is one loader.
        if (loads === undefined || classes.has(provider.metatype)) continue;
        const { type, members } = loads;
        classes.set(provider.metatype, provider);
        if (members !== undefined) this.#recordTypes.set(type, members);
        const others = this.#providers.get(type) ?? new Set();
        this.#providers.set(type, others.add(provider));
      }
    }
  }

  /** The loaders of the options, and these. @throws PolicyError where there are two of one type. */
  with(given: AuthorizerOptions['loaders']): Readonly<Record<string, ResourceLoad>> {
    const mistakes = [...this.#providers].flatMap(([type, providers]) => {
      const names = [...providers].map(({ name }) => String(name));
      if (Object.hasOwn(Object(given) as object, type)) names.push('the option loaders');
      return names.length > 1 ? [`${type} has several loaders; keep one: ${names.join(', ')}`] : [];
    });
    if (mistakes.length > 0) throw new PolicyError(mistakes);
    const found = [...this.#providers].map(([type, [provider]]) => {
      const load: ResourceLoad = (name, context) =>
        (provider!.instance as { load: ResourceLoad }).load(name, context);
      return [type, load] as const;
    });
    return { ...given, ...Object.fromEntries(found) };
  }

  /** The types of records of the options, and of these. @throws PolicyError where one is declared twice. */
  recordTypes(given: AuthorizerOptions['recordTypes']): Readonly<Record<string, RequestShape>> {
    const twice = [...this.#recordTypes.keys()].filter((type) =>
      Object.hasOwn(Object(given) as object, type),
    );
    if (twice.length > 0) {
      throw new PolicyError(
        twice.map(
          (type) => `${type} is declared by @ResourceLoader and by recordTypes; keep one of them`,
        ),
      );
    }
    return { ...given, ...Object.fromEntries(this.#recordTypes) };
  }

  /** What is wrong with the providers, once they are instances. */
  mistakes(): string[] {
    return [...this.#providers.values()].flatMap((providers) =>
      [...providers].flatMap((provider) => {
        const name = String(provider.name);
        if (!provider.isDependencyTreeStatic()) {
          return [`${name}: a resource loader cannot have request scope`];
        }
        const { load } = Object(provider.instance) as { readonly load?: unknown };
        return typeof load === 'function'
          ? []
          : [`${name}: a resource loader needs the method load`];
      }),
    );
  }
}

function loadsOf(metatype: unknown): LoadedType | undefined {
  return typeof metatype === 'function'
    ? (Reflect.getOwnMetadata(LOADS, metatype) as LoadedType | undefined)
    : undefined;
}
