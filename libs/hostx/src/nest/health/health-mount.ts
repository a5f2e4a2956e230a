import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { HealthHandler } from '../../health/health-handler.js';

/**
 * Puts the endpoints in front of everything the app serves, as soon as there is an HTTP adapter:
 * no guard, no middleware and no catch-all of somebody else gets in their way. It waits for nothing
 * but the adapter, so that it comes before whatever else is mounted as early as that.
 */
@Injectable()
export class HealthMount {
  /** The handler that serves them, once the options are known. */
  handler: HealthHandler = (_request, _response, next) => next?.();

  constructor(@Inject(HttpAdapterHost) adapterHost: HttpAdapterHost) {
    const handle: HealthHandler = (request, response, next) =>
      this.handler(request, response, next);
    adapterHost.init$.subscribe(() => {
      // None in an application context, and in a microservice.
      const adapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
      adapter?.use(handle);
    });
  }
}
