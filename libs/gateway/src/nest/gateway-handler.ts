import type { IncomingMessage, ServerResponse } from 'node:http';
import { markInfrastructureRequest } from '@apix/contracts';
import { targetOf } from '@apix/contracts/internal';
import type { GlobalPrefix } from '@apix/contracts/nest';
import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../http/gateway.js';
import type { Middleware, RequestHandler } from '../http/gateway-options.js';
import { assertTakesJson } from '../request/content-headers.js';
import { send } from '../http/send.js';
import { normalised } from '../template/spelling.js';
import { GatewayDocument } from './gateway-document.js';
import { GATEWAY_OPTIONS, type GatewayModuleOptions } from './gateway-module-options.js';

/** The handler mounted into an app, and the requests that belong to it. */
export interface MountedHandler {
  readonly handle: RequestHandler;
  /** Whether it answers a request itself. Depends on method and target alone. */
  takes(req: IncomingMessage): boolean;
  /** Whether it looks at a request and then hands it on. */
  passes(req: IncomingMessage): boolean;
}

/** A place in an app, between its middleware and its routes. */
export interface AppMount {
  /** Everything that `main.ts` registers exists by now, but no middleware or route of a module. */
  beforeModules(): void;
  /** Middleware of modules and routes are there. */
  afterRoutes(): void;
  /** All modules have started; the app does not listen yet. */
  beforeListen(): void;
}

/** Serves the gateway, and its OpenAPI document where that was asked for. */
@Injectable()
export class GatewayHandler implements MountedHandler {
  private documentPath: string | undefined;

  constructor(
    @Inject(GATEWAY_OPTIONS) { openapi }: GatewayModuleOptions,
    @Inject(Gateway) private readonly gateway: Gateway,
    @Inject(GatewayDocument) private readonly document: GatewayDocument,
  ) {
    this.documentPath = openapi?.path;
  }

  /** Puts the document below a prefix. */
  moveBelow(prefix: GlobalPrefix): void {
    if (this.documentPath !== undefined) {
      this.documentPath = prefix.pathOf('GET', this.documentPath);
    }
  }

  readonly handle: RequestHandler = (req, res, next) => {
    if (this.asksForDocument(req)) {
      markInfrastructureRequest(req);
      this.sendDocument(res);
    } else this.gateway.handle(req, res, next);
  };

  /** Whether {@link handle} answers a request itself, rather than hand it on. */
  takes(req: IncomingMessage): boolean {
    return this.asksForDocument(req) || this.gateway.takes(req);
  }

  /** Whether {@link handle} runs the option `middleware` for a request, and then hands it on. */
  passes(req: IncomingMessage): boolean {
    return this.gateway.passes(req);
  }

  private asksForDocument(req: IncomingMessage): boolean {
    const path = this.documentPath;
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    return path !== undefined && isRead && targetOf(req).path === path;
  }

  private sendDocument(res: ServerResponse): void {
    try {
      assertTakesJson(res.req);
      const bytes = Buffer.from(JSON.stringify(this.document.get()));
      send(res, 200, { contentType: 'application/json', bytes });
    } catch (error) {
      // Of a policy source of the app, say.
      this.gateway.refuse(res, error);
    }
  }
}

/** A request as it reaches middleware, whose `url` and `baseUrl` routers write. */
export type AppRequest = IncomingMessage & { readonly baseUrl?: string };

/**
 * Middleware for the start of an app: the paths of taken requests are written in their normal form, so that
 * middleware for `v1/orders/7` runs for `/v1/orders/%37` too, whose variable is `7`.
 */
export function writeNormalPaths(handler: Pick<MountedHandler, 'takes'>): Middleware {
  return (req, _res, next) => {
    if (req.url?.includes('%') === true && handler.takes(req)) {
      const [path = ''] = req.url.split('?', 1);
      req.url = normalised(path) + req.url.slice(path.length);
    }
    next();
  };
}

/**
 * Whether the app's router reads the path that a request was sent with. It may read another: Express does of
 * some targets, and middleware may have written one. The app's middleware was chosen by that one then.
 *
 * @param path that the router reads, below the path at which the app is mounted into another.
 */
export function isRoutedBy(path: string, req: AppRequest): boolean {
  const { baseUrl = '' } = req;
  const sent = normalised(targetOf(req).path);
  return normalised(baseUrl + path) === sent || (path === '/' && normalised(baseUrl) === sent);
}
