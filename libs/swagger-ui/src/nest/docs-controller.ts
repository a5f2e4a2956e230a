import type { IncomingMessage, ServerResponse } from 'node:http';
import { InfrastructureEndpoint } from '@apix/contracts';
import { targetOf } from '@apix/contracts/internal';
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
import { sendFile } from '../http/send-file.js';
import { resolvePageOptions, type SwaggerUiOptions } from '../options.js';
import { Site } from '../site.js';

/** The options of `SwaggerUiModule.forRoot`, apart from `path`. */
export const SWAGGER_UI_OPTIONS = Symbol.for('apix.swagger-ui.Options');

/** The metadata key that makes @nestjs/swagger omit a controller. */
const EXCLUDE_CONTROLLER = 'swagger/apiExcludeController';

/** Fastify's request and reply wrap those of Node; Express uses those of Node. */
type Wrapped<T> = T & { readonly raw?: T };
type Reply = Wrapped<ServerResponse> & { hijack?(): unknown };

/** A controller that serves the docs at a path; Nest handles routes, global prefix and guards. */
export function docsController(path: string): Type {
  @InfrastructureEndpoint()
  @Controller(path)
  class SwaggerUiController {
    private readonly site: Site;

    constructor(@Inject(SWAGGER_UI_OPTIONS) options: SwaggerUiOptions) {
      this.site = new Site(resolvePageOptions(options));
    }

    @Get()
    page(@Req() request: Wrapped<IncomingMessage>, @Res() reply: Reply): void {
      const req = request.raw ?? request;
      const page = this.site.page(targetOf(req).path);
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
  Reflect.defineMetadata(EXCLUDE_CONTROLLER, [true], SwaggerUiController);
  return SwaggerUiController;
}

/** The response of Node; makes Fastify not answer the request itself. */
function nodeResponse(reply: Reply): ServerResponse {
  reply.hijack?.();
  return reply.raw ?? reply;
}
