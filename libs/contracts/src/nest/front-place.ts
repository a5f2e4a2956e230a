import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FactoryProvider } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { targetOf } from '../http-request.js';

/** On an adapter host, so that all installed copies serve from one middleware. */
const PLACES = Symbol.for('apix.FrontPlaces');

/** Serves a request that came for its path, or hands it on. */
export type FrontHandler = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

/** What one module serves there, by whole paths. */
interface FrontEndpoints {
  endpoints: ReadonlyMap<string, FrontHandler>;
}

type PlacedHost = HttpAdapterHost & { [PLACES]?: FrontEndpoints[] };

/**
 * A place in front of everything that an app serves, as soon as there is an HTTP adapter: no guard, no
 * middleware and no catch-all of somebody else gets in the way of its endpoints. The places of an app are
 * behind one middleware, in the order in which they were taken.
 */
// Why: docs/decisions/0571
export class FrontPlace {
  readonly #place: FrontEndpoints = { endpoints: new Map() };

  constructor(adapterHost: PlacedHost) {
    const places = (adapterHost[PLACES] ??= mountPlaces(adapterHost));
    places.push(this.#place);
  }

  /** Serves these paths from now on, and no others; a path is compared as it was written. */
  serve(endpoints: ReadonlyMap<string, FrontHandler>): void {
    this.#place.endpoints = endpoints;
  }
}

/**
 * The place of a module. It waits for nothing but the adapter, so that it comes before whatever else is
 * mounted as early as that.
 */
export function frontPlace(provide: symbol): FactoryProvider<FrontPlace> {
  const useFactory = (adapterHost: HttpAdapterHost): FrontPlace => new FrontPlace(adapterHost);
  return { provide, inject: [HttpAdapterHost], useFactory };
}

function mountPlaces(adapterHost: HttpAdapterHost): FrontEndpoints[] {
  const places: FrontEndpoints[] = [];
  const servedFrom =
    (first: number): FrontHandler =>
    (req, res, next) => {
      const { path } = targetOf(req);
      for (let at = first; at < places.length; at++) {
        const handler = places[at]!.endpoints.get(path);
        if (handler === undefined) continue;
        handler(req, res, () => servedFrom(at + 1)(req, res, next));
        return;
      }
      next();
    };
  adapterHost.init$.subscribe(() => {
    // None in an application context, and in a microservice.
    const adapter = adapterHost.httpAdapter as HttpAdapterHost['httpAdapter'] | null;
    adapter?.use(servedFrom(0));
  });
  return places;
}
