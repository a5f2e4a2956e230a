import type { ServerResponse } from 'node:http';
import { markInfrastructureRequest, targetOf } from '@apix/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { Gateway, type RequestHandler } from '../http/gateway.js';
import { send } from '../http/send.js';
import { GatewayDocument } from './gateway-document.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';
import { GATEWAY_OPTIONS } from './tokens.js';

/** Serves the gateway, and its OpenAPI document where that was asked for. */
@Injectable()
export class GatewayHandler {
  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(Gateway) private readonly gateway: Gateway,
    @Inject(GatewayDocument) private readonly document: GatewayDocument,
  ) {}

  readonly handle: RequestHandler = (req, res, next) => {
    const path = this.options.openapi?.path;
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (path !== undefined && isRead && targetOf(req).path === path) {
      markInfrastructureRequest(req);
      this.sendDocument(res);
    } else this.gateway.handle(req, res, next);
  };

  private sendDocument(res: ServerResponse): void {
    try {
      const bytes = Buffer.from(JSON.stringify(this.document.get()));
      send(res, 200, { contentType: 'application/json', bytes });
    } catch (error) {
      // Of a policy source of the app, say.
      this.gateway.refuse(res, error);
    }
  }
}
