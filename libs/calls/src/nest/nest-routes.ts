import { INFRASTRUCTURE_ENDPOINT } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { GlobalPrefix } from '@apix/contracts/internal-nest';
import { RequestMethod, type Type, VersioningType } from '@nestjs/common';
import {
  HOST_METADATA,
  METHOD_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { methodsOf } from './controller-methods.js';

/** A handler of HTTP. */
export interface RouteHandler {
  readonly controller: object;
  readonly method: object;
  /** `Class.method`. */
  readonly name: string;
  /** Serves the operator: health, metrics, docs. */
  readonly isInfrastructure: boolean;
}

/** A path at which Nest serves a handler. */
export interface NestRoute {
  readonly handler: RouteHandler;
  readonly verb: RequestMethod;
  /** As Nest gives it to its adapter, with the global prefix, the version and the path of the module. */
  readonly path: string;
  /** Whether Nest passes requests on by their host, or by a version that is not in the path. */
  readonly isFiltered: boolean;
}

/** By controller, because two may inherit a method. */
const known = new WeakMap<object, Map<object, RouteHandler>>();

/** What is known of a handler, found once. */
export function routeHandlerOf(controller: Type, method: object): RouteHandler {
  let handlers = known.get(controller);
  if (handlers === undefined) known.set(controller, (handlers = new Map<object, RouteHandler>()));
  let handler = handlers.get(method);
  if (handler === undefined) handlers.set(method, (handler = handlerOf(controller, method)));
  return handler;
}

function handlerOf(controller: Type, method: object): RouteHandler {
  return {
    controller,
    method,
    name: qualifiedName(controller, method),
    isInfrastructure:
      hasMark(controller, INFRASTRUCTURE_ENDPOINT) || hasMark(method, INFRASTRUCTURE_ENDPOINT),
  };
}

/** `Class.method`; the handler of a gRPC stream has no own name. */
export function qualifiedName(controller: { readonly name: string }, method: object): string {
  const name = 'name' in method ? String(method.name) : '';
  return name === '' ? controller.name : `${controller.name}.${name}`;
}

/**
 * The routes of an app's controllers, from the metadata of Nest's decorators. Read them in `app.init()` or
 * later: until then the app may set another prefix or versioning.
 */
export function* nestRoutes(
  config: ApplicationConfig,
  modules: ModulesContainer,
): Generator<NestRoute> {
  const paths = new RoutePaths(config);
  for (const { metatype, controllers } of modules.values()) {
    const module = modulePath(metatype, modules);
    for (const { metatype: controller } of controllers.values()) {
      if (typeof controller !== 'function') continue;
      for (const method of methodsOf(controller))
        yield* paths.of(module, controller as Type, method);
    }
  }
}

class RoutePaths {
  readonly #prefix: GlobalPrefix;
  readonly #versioning: ReturnType<ApplicationConfig['getVersioning']>;

  constructor(config: ApplicationConfig) {
    this.#prefix = new GlobalPrefix(config);
    this.#versioning = config.getVersioning();
  }

  *of(module: string, controller: Type, method: object): Generator<NestRoute> {
    const own: unknown = Reflect.getMetadata(PATH_METADATA, method);
    if (own === undefined) return;
    const verb = Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod;
    const handler = routeHandlerOf(controller, method);
    const versions: unknown =
      Reflect.getMetadata(VERSION_METADATA, method) ??
      Reflect.getMetadata(VERSION_METADATA, controller) ??
      this.#versioning?.defaultVersion;
    const isFiltered =
      Reflect.getMetadata(HOST_METADATA, controller) !== undefined ||
      (versions !== undefined && !this.#isInPath && this.#versioning !== undefined);
    for (const before of texts(Reflect.getMetadata(PATH_METADATA, controller))) {
      for (const last of texts(own)) {
        const plain = slashed(module) + slashed(before) + slashed(last);
        for (const version of this.#versions(versions)) {
          const path = this.#served(RequestMethod[verb], version, plain === '' ? '/' : plain);
          yield { handler, verb, path, isFiltered };
        }
      }
    }
  }

  get #isInPath(): boolean {
    return this.#versioning?.type === VersioningType.URI;
  }

  /** The version is behind the global prefix, and is not part of what that leaves out. */
  #served(verb: string, version: string, path: string): string {
    const isLeftOut = this.#prefix.excludes(verb, path);
    const whole = (isLeftOut ? '' : this.#prefix.path) + version + (path === '/' ? '' : path);
    return whole === '' ? '/' : whole;
  }

  #versions(given: unknown): string[] {
    const versioning = this.#versioning;
    if (versioning?.type !== VersioningType.URI || given === undefined) return [''];
    const { prefix = 'v' } = versioning;
    return [given]
      .flat()
      .map((one) =>
        typeof one === 'string' && one !== '' ? `/${prefix === false ? '' : prefix}${one}` : '',
      );
  }
}

/** That of RouterModule. */
function modulePath(module: Type | undefined, { applicationId }: ModulesContainer): string {
  const path: unknown =
    module === undefined
      ? undefined
      : (Reflect.getMetadata(MODULE_PATH + applicationId, module) ??
        Reflect.getMetadata(MODULE_PATH, module));
  return typeof path === 'string' ? path : '';
}

function texts(given: unknown): string[] {
  return [given].flat().filter((it) => typeof it === 'string');
}

/** With a slash before it and none at its end; '' for the root. */
function slashed(path: string): string {
  const trimmed = path.replaceAll(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `/${trimmed}`;
}
