import { isRecord } from '@apix/contracts/internal';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import {
  type GraphqlOperation,
  OperationSpans,
  type ResolverInfo,
} from '../../graphql/operation-spans.js';
import { Tracing } from '../../tracing/tracing.js';
import { TRACING_OPTIONS } from '../tokens.js';
import type { TracingModuleOptions } from './tracing-module-options.js';

type Resolver = (...args: unknown[]) => unknown;

/** The argument of the hooks of `@nestjs/graphql` for an operation. */
interface OperationEvent {
  readonly query?: string;
  readonly context?: object;
  readonly errors?: readonly unknown[];
  readonly state?: unknown;
}

/** The part of the `ResolverDecoratorHost` of `@nestjs/graphql` that is used; each holds one function. */
interface Decorators {
  getDecorator(): ((resolver: Resolver) => Resolver) | undefined;
  setDecorator(decorator: (resolver: Resolver) => Resolver): void;
  getOnRequestStartHook(): ((event: OperationEvent) => unknown) | undefined;
  setOnRequestStartHook(hook: (event: OperationEvent) => unknown): void;
  getOnRequestEndHook(): ((event: OperationEvent) => void) | undefined;
  setOnRequestEndHook(hook: (event: OperationEvent) => void): void;
}

/** The values that the start of an operation passes to its end. */
interface State {
  readonly operation: GraphqlOperation;
  /** Of the hook that was there before. */
  readonly theirs: unknown;
}

const METHODS = [
  'getDecorator',
  'setDecorator',
  'getOnRequestStartHook',
  'setOnRequestStartHook',
  'getOnRequestEndHook',
  'setOnRequestEndHook',
] as const;

/** The spans of operations of GraphQL, of every driver that calls the hooks of `@nestjs/graphql`. */
@Injectable()
export class GraphqlDoor implements OnModuleInit {
  readonly #spans: OperationSpans | null;
  readonly #modules: ModulesContainer;
  readonly #operations = new WeakMap<object, GraphqlOperation>();

  constructor(
    @Inject(TRACING_OPTIONS) { graphql = {} }: TracingModuleOptions,
    @Inject(Tracing) tracing: Tracing,
    @Inject(ModulesContainer) modules: ModulesContainer,
  ) {
    this.#spans = graphql === false ? null : new OperationSpans(tracing, graphql);
    this.#modules = modules;
  }

  /** Global modules come first, so that this is before the resolvers are read. */
  onModuleInit(): void {
    if (this.#spans === null) return;
    for (const { providers } of this.#modules.values()) {
      for (const { name, instance } of providers.values()) {
        if (name !== 'ResolverDecoratorHost') continue;
        if (isDecorators(instance)) this.#follow(instance, this.#spans);
        else warnOfVersion();
      }
    }
  }

  // Why: docs/decisions/0287
  #follow(host: Decorators, spans: OperationSpans): void {
    const decorate = host.getDecorator();
    const start = host.getOnRequestStartHook();
    const end = host.getOnRequestEndHook();
    const operations = this.#operations;
    host.setDecorator((resolver) => {
      const theirs = decorate === undefined ? resolver : decorate(resolver);
      return (...args) => {
        const [, , graphqlContext, info] = args;
        // References of federated types have no such info.
        if (!isResolverInfo(info)) return theirs(...args);
        const operation = isRecord(graphqlContext) ? operations.get(graphqlContext) : undefined;
        return spans.resolve(operation, info, () => theirs(...args));
      };
    });
    host.setOnRequestStartHook((event) => {
      const operation = spans.begin(event.query);
      if (event.context !== undefined) operations.set(event.context, operation);
      return { operation, theirs: start?.(event) } satisfies State;
    });
    host.setOnRequestEndHook((event) => {
      const { operation, theirs } = event.state as State;
      if (event.context !== undefined) operations.delete(event.context);
      spans.end(operation, event.errors);
      end?.({ ...event, state: theirs });
    });
  }
}

function warnOfVersion(): void {
  new Logger('Tracing').warn(
    'this version of @nestjs/graphql does not report operations, so they get no spans; update it',
  );
}

function isDecorators(instance: unknown): instance is Decorators {
  return (
    isRecord(instance) && METHODS.every((name) => typeof Reflect.get(instance, name) === 'function')
  );
}

function isResolverInfo(info: unknown): info is ResolverInfo {
  return isRecord(info) && 'operation' in info && 'parentType' in info && 'fieldName' in info;
}
