import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MountedHandler } from '@apix/calls/internal-nest';
import { markInfrastructureRequest } from '@apix/contracts';
import { targetOf } from '@apix/contracts/internal';
import type { GlobalPrefix } from '@apix/contracts/internal-nest';
import { Inject, Injectable } from '@nestjs/common';
import { Gateway } from '../http/gateway.js';
import type { RequestHandler } from '../http/gateway-options.js';
import { assertTakesJson } from '../request/content-headers.js';
import { send } from '../http/send.js';
import { GatewayDocument } from './gateway-document.js';
import { GATEWAY_OPTIONS, type GatewayModuleOptions } from './gateway-module-options.js';

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
      // For example, of a policy source of the app.
      this.gateway.refuse(res, error);
    }
  }
}
