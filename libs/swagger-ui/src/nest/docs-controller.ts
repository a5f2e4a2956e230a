import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Controller,
  Get,
  Inject,
  NotFoundException,
  Param,
  Req,
  Res,
  type Type,
} from '@nestjs/common';
import { requestedPath, sendFile } from '../http/send-file.js';
import { markAsInfrastructure } from '../infrastructure.js';
import type { SwaggerUiOptions } from '../options.js';
import { Site } from '../site.js';
import { SWAGGER_UI_OPTIONS } from './tokens.js';

/** The metadata with which @nestjs/swagger leaves a controller out. */
const EXCLUDE_CONTROLLER = 'swagger/apiExcludeController';

/** Fastify's request and reply hold Node's own; Express's are Node's own. */
type Wrapped<T> = T & { readonly raw?: T };
type Reply = Wrapped<ServerResponse> & { hijack?(): unknown };

/** A controller that serves the docs at a path; routes, global prefix and guards are Nest's. */
export function docsController(path: string): Type {
  @Controller(path)
  class SwaggerUiController {
    private readonly site: Site;

    constructor(@Inject(SWAGGER_UI_OPTIONS) options: SwaggerUiOptions) {
      this.site = new Site(options);
    }

    @Get()
    page(@Req() request: Wrapped<IncomingMessage>, @Res() reply: Reply): void {
      const req = request.raw ?? request;
      const page = this.site.page(requestedPath(req));
      sendFile(page, req, nodeResponse(reply));
    }

    // Why: docs/decisions/0034
    @Get(':file')
    async file(
      @Param('file') name: string,
      @Req() request: Wrapped<IncomingMessage>,
      @Res() reply: Reply,
    ): Promise<void> {
      const file = await this.site.file(name);
      if (file === undefined) throw new NotFoundException();
      sendFile(file, request.raw ?? request, nodeResponse(reply));
    }
  }
  markAsInfrastructure(SwaggerUiController);
  Reflect.defineMetadata(EXCLUDE_CONTROLLER, [true], SwaggerUiController);
  return SwaggerUiController;
}

/** Node's own response; Fastify is told that it will be answered without it. */
function nodeResponse(reply: Reply): ServerResponse {
  reply.hijack?.();
  return reply.raw ?? reply;
}
