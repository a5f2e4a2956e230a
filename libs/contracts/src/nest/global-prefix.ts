import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';

/**
 * The prefix of `app.setGlobalPrefix`, for paths served outside of Nest's routing. Create it in
 * `app.init()` or later: until then the app may set another one.
 */
// Why: docs/decisions/0226
export class GlobalPrefix {
  /** With a leading and without a trailing slash; '' if there is none. */
  readonly path: string;
  readonly #exclude: ReturnType<ApplicationConfig['getGlobalPrefixOptions']>['exclude'];

  constructor(config: ApplicationConfig) {
    const name = config.getGlobalPrefix().replaceAll(/^\/+|\/+$/g, '');
    this.path = name === '' ? '' : `/${name}`;
    this.#exclude = config.getGlobalPrefixOptions().exclude;
  }

  /**
   * Whether the option `exclude` leaves a route out, as Nest asks it for a controller's.
   *
   * @param method such as `GET`; `*` for all.
   * @param path without the prefix, with a slash before it.
   */
  excludes(method: string, path: string): boolean {
    if (this.path === '' || this.#exclude === undefined) return false;
    return this.#exclude.some(({ requestMethod, pathRegex }) => {
      const isOfMethod =
        requestMethod === RequestMethod.ALL || RequestMethod[requestMethod] === method;
      return isOfMethod && pathRegex.test(path);
    });
  }

  /** The path at which a route is served. @param path without the prefix, with a leading slash. */
  pathOf(method: string, path: string): string {
    return this.excludes(method, path) ? path : this.path + path;
  }
}
