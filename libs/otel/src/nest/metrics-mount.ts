import type { IncomingMessage, ServerResponse } from 'node:http';
import { targetOf } from '@apix/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { MetricsHandler } from '../prometheus/prometheus-handler.js';

/**
 * Puts the endpoint in front of everything the app serves, as soon as there is an HTTP adapter:
 * no guard and no catch-all of somebody else gets in its way.
 */
@Injectable()
export class MetricsMount {
  #path: string | undefined;
  #handler: MetricsHandler | undefined;

  constructor(@Inject(HttpAdapterHost) adapterHost: HttpAdapterHost) {
    const handle = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
      if (this.#handler !== undefined && targetOf(request).path === this.#path) {
        this.#handler(request, response);
      } else next();
    };
    adapterHost.init$.subscribe(() => {
      // None in an application context, and in a microservice.
      const adapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
      adapter?.use(handle);
    });
  }

  /** Serves a path from now on. */
  serve(path: string, handler: MetricsHandler): void {
    this.#path = path;
    this.#handler = handler;
  }
}
