import type { IncomingMessage, ServerResponse } from 'node:http';
import { markInfrastructureRequest, noteInfrastructurePath } from '@apix/contracts';
import { readTarget } from '@apix/contracts/internal';
import {
  type CanActivate,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  type OnModuleInit,
  Param,
  Post,
  Req,
  Res,
  type Type,
  UseGuards,
  applyDecorators,
} from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { GlobalPrefix } from '@apix/contracts/internal-nest';
import { PAGE_FILES, pageFile, sendPageData, sendPageFile } from '../page-files.js';
import type { SectionId } from '../section-views.js';
import { type ActionGuards, addActionRoutes } from './action-routes.js';
import { HostPage } from './host-page.js';
import { refuseOtherPages } from './refuse-other-pages.js';

/** The metadata with which @nestjs/swagger leaves a controller out. */
const EXCLUDE_CONTROLLER = 'swagger/apiExcludeController';

/** What a viewer sees who asks for no other. */
const FIRST_TAB: SectionId = 'overview';

/** Fastify's request and reply hold Node's own; Express's are Node's own. */
type Wrapped<T> = T & { readonly raw?: T };
type Request = Wrapped<IncomingMessage>;
type Reply = Wrapped<ServerResponse> & { hijack?(): unknown };

type Guard = Type<CanActivate> | CanActivate;

/** Where the page is, and who may do what. */
export interface ControllerAccess {
  readonly path: string;
  readonly guards: readonly Guard[];
  /** Besides the others; none: nobody may replace the processes. */
  readonly restart: readonly Guard[];
  /** Besides the others, for each action. */
  readonly actions: ActionGuards;
  readonly decorators: readonly ClassDecorator[];
}

/**
 * A controller that serves the page at a path; routes, global prefix and guards are Nest's. It
 * is not marked as an infrastructure endpoint: authz would exempt it, and it shows more than
 * health does. Requests for it are logged; the page does not show its own requests.
 */
export function hostPageController(access: ControllerAccess): Type {
  const { path, guards, restart, actions, decorators } = access;

  @applyDecorators(...decorators)
  @UseGuards(...guards)
  @Controller(path)
  class HostPageController implements OnModuleInit {
    constructor(
      @Inject(HostPage) readonly host: HostPage,
      @Inject(ApplicationConfig) private readonly config: ApplicationConfig,
    ) {}

    /** The global prefix is known when Nest initialises the modules. */
    onModuleInit(): void {
      const whole = new GlobalPrefix(this.config).pathOf('GET', `/${path}`);
      noteInfrastructurePath(this.config, whole);
      noteInfrastructurePath(this.config, `${whole}/*`);
    }

    @Get()
    page(@Req() request: Request, @Res() reply: Reply): void {
      sendPageFile(
        pageFile(this.host.title, readTarget(request.url ?? '/').path),
        request,
        nodeResponse(reply),
      );
    }

    @Get('stream')
    stream(@Req() request: Request, @Res() reply: Reply): void {
      // It lasts as long as the page is open, and would be the slowest request of all.
      markInfrastructureRequest(request.raw ?? request);
      this.host.view(nodeResponse(reply), queryOf(request).get('tab') ?? FIRST_TAB);
    }

    @Get(':tab/:name')
    async item(
      @Param('tab') tab: string,
      @Param('name') name: string,
      @Req() request: Request,
      @Res() reply: Reply,
    ): Promise<void> {
      const text = await this.host.item(tab, name, queryOf(request));
      if (text === undefined) throw new NotFoundException();
      sendPageData(text, nodeResponse(reply));
    }

    @Post('restart')
    @HttpCode(202)
    @UseGuards(...restart)
    restart(@Req() request: Request): void {
      if (restart.length === 0) throw new NotFoundException();
      refuseOtherPages((request.raw ?? request).headers, 'a restart');
      this.host.restart();
    }

    @Get(':file')
    file(@Param('file') name: string, @Req() request: Request, @Res() reply: Reply): void {
      const file = PAGE_FILES.get(name);
      if (file === undefined) throw new NotFoundException();
      sendPageFile(file, request, nodeResponse(reply));
    }
  }
  addActionRoutes(HostPageController, actions, ({ host }) => host);
  Reflect.defineMetadata(EXCLUDE_CONTROLLER, [true], HostPageController);
  return HostPageController;
}

function queryOf({ url = '/' }: Request): URLSearchParams {
  return new URLSearchParams(readTarget(url).query);
}

/** Node's own response; Fastify is informed that it does not send the answer itself. */
function nodeResponse(reply: Reply): ServerResponse {
  reply.hijack?.();
  return reply.raw ?? reply;
}
