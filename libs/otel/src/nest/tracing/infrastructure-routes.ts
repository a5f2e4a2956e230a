import { methodsOf } from '@apix/calls/nest';
import { INFRASTRUCTURE_ENDPOINT, hasMark, noteInfrastructurePath } from '@apix/contracts';
import { GlobalPrefix } from '@apix/hostx';
import { RequestMethod, type Type, VersioningType } from '@nestjs/common';
import {
  METHOD_METADATA,
  MODULE_PATH,
  PATH_METADATA,
  VERSION_METADATA,
} from '@nestjs/common/constants.js';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';

const ANSWERS_GET = new Set([RequestMethod.GET, RequestMethod.HEAD, RequestMethod.ALL]);

/**
 * Notes the paths of handlers that are infrastructure endpoints, so that requests to them are known before they
 * are made spans. Left out are paths with parameters, and those that other handlers answer too, by another version
 * or host. Call it when Nest initialises the modules: the global prefix is set by then.
 */
// Why: docs/decisions/0292
export function noteInfrastructureRoutes(
  config: ApplicationConfig,
  modules: ModulesContainer,
): void {
  const marked = new Set<string>();
  const others = new Set<string>();
  const routes = new RoutePaths(config);
  for (const { metatype, controllers } of modules.values()) {
    const module = modulePath(metatype, modules);
    for (const { metatype: controller } of controllers.values()) {
      if (typeof controller !== 'function') continue;
      const isMarked = hasMark(controller, INFRASTRUCTURE_ENDPOINT);
      for (const handler of methodsOf(controller)) {
        const isProbe = isMarked || hasMark(handler, INFRASTRUCTURE_ENDPOINT);
        for (const path of routes.of(module, controller, handler)) {
          (isProbe ? marked : others).add(path);
        }
      }
    }
  }
  for (const path of marked) {
    if (!/[:*{(]/.test(path) && !others.has(path)) noteInfrastructurePath(config, path);
  }
}

/** Where Nest serves handlers that answer GET. */
class RoutePaths {
  readonly #prefix: GlobalPrefix;
  readonly #versioning: ReturnType<ApplicationConfig['getVersioning']>;

  constructor(config: ApplicationConfig) {
    this.#prefix = new GlobalPrefix(config);
    this.#versioning = config.getVersioning();
  }

  of(module: string, controller: object, handler: object): string[] {
    const path: unknown = Reflect.getMetadata(PATH_METADATA, handler);
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
    if (path === undefined || !ANSWERS_GET.has(method)) return [];
    const versions: unknown =
      Reflect.getMetadata(VERSION_METADATA, handler) ??
      Reflect.getMetadata(VERSION_METADATA, controller) ??
      this.#versioning?.defaultVersion;
    const found: string[] = [];
    for (const before of texts(Reflect.getMetadata(PATH_METADATA, controller))) {
      for (const own of texts(path)) {
        const plain = slashed(module) + slashed(before) + slashed(own);
        for (const version of this.#versions(versions)) {
          found.push(this.#served(version, plain === '' ? '/' : plain));
        }
      }
    }
    return found;
  }

  /** The version is behind the global prefix, and is not part of what that leaves out. */
  #served(version: string, path: string): string {
    const isLeftOut = this.#prefix.excludes('GET', path);
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
