import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModulesContainer } from '@nestjs/core';
import { types } from 'node:util';
import { policyOf } from './handler-policies.js';
import { hasConditions } from './handler-requirement.js';
import type { ControllerClass, Handler } from './policy-metadata.js';
import { type EntryKind, controllerEntry, providerEntry } from './served-handler.js';

/** Under which GraphQLModule keeps its options. */
const GRAPHQL_OPTIONS = 'GqlModuleOptions';

/** A method of a controller or provider, that the boot check looks at. */
export interface FoundHandler {
  readonly controller: ControllerClass;
  /** The name under which the controller has it. */
  readonly key: string;
  readonly handler: Handler;
  readonly entry: EntryKind;
  /** Whether Nest asks guards when a caller reaches it. */
  readonly isGuarded: boolean;
}

type Provider = ReturnType<DiscoveryService['getProviders']>[number];

/** Looks for everything in an app that a caller may reach through Nest. */
@Injectable()
export class HandlerSearch {
  constructor(
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(MetadataScanner) private readonly scanner: MetadataScanner,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
  ) {}

  /** Every method of every controller, and of every class of a provider, once. */
  *handlers(): Iterable<FoundHandler> {
    for (const { metatype } of this.discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      const controller = metatype as unknown as ControllerClass;
      for (const [key, handler] of this.methods(controller)) {
        yield { controller, key, handler, entry: controllerEntry(handler), isGuarded: true };
      }
    }
    const areFieldsGuarded = this.areFieldsGuarded();
    for (const controller of new Set(this.discovery.getProviders().map(classOf))) {
      if (controller === undefined) continue;
      for (const [key, handler] of this.methods(controller)) {
        const entry = providerEntry(controller, key, handler);
        const isField = entry === 'field' || entry === 'reference';
        const isGuarded = isField
          ? areFieldsGuarded && key !== '__resolveType'
          : entry === 'socket' || entry === 'operation';
        yield { controller, key, handler, entry, isGuarded };
      }
    }
  }

  /** Whether a handler of the app has conditions. */
  hasConditions(): boolean {
    return [...this.handlers()].some(({ controller, handler }) => {
      const policy = policyOf(controller, handler);
      return policy?.kind === 'requires' && hasConditions(policy.input);
    });
  }

  private *methods(controller: ControllerClass): Iterable<[string, Handler]> {
    const prototype = controller.prototype as Readonly<Record<string, Handler>>;
    for (const key of this.scanner.getAllMethodNames(prototype)) {
      const handler = prototype[key];
      if (typeof handler === 'function') yield [key, handler];
    }
  }

  /** Whether every GraphQL server of the app has guards asked for fields. */
  private areFieldsGuarded(): boolean {
    return [...this.modules.values()].every(({ providers }) => {
      const options: unknown = providers.get(GRAPHQL_OPTIONS)?.instance;
      if (typeof options !== 'object' || options === null) return true;
      const enhancers = 'fieldResolverEnhancers' in options && options.fieldResolverEnhancers;
      return Array.isArray(enhancers) && enhancers.includes('guards');
    });
  }
}

/** GraphQL looks at what factories return too; a proxy could be anything. */
function classOf({ metatype, instance, isNotMetatype }: Provider): ControllerClass | undefined {
  const found: unknown =
    isNotMetatype || typeof metatype !== 'function' ? constructorOf(instance) : metatype;
  const isClass = typeof found === 'function' && typeof found.prototype === 'object';
  return isClass && found.prototype !== null && !types.isProxy(found.prototype)
    ? (found as unknown as ControllerClass)
    : undefined;
}

function constructorOf(instance: unknown): unknown {
  if (typeof instance !== 'object' || instance === null || types.isProxy(instance)) return;
  const prototype: unknown = Object.getPrototypeOf(instance);
  return typeof prototype === 'object' && prototype !== null && !types.isProxy(prototype)
    ? prototype.constructor
    : undefined;
}
