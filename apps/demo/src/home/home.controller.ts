import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Public } from '@apix/authz';
import { GrpcServer } from '@apix/grpc';
import { RequestLog } from '@apix/logx';
import { Controller, Get, Header, Inject } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiExcludeController } from '@nestjs/swagger';
import { assetPath } from '../assets.js';
import { homePage } from './home-page.js';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The way from the root to everything that has a page. */
@Controller()
@ApiExcludeController()
@Public()
@RequestLog('debug')
export class HomeController {
  constructor(
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(GrpcServer) private readonly grpc: GrpcServer,
  ) {}

  @Get()
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', POLICY)
  page(): string {
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    const { port } = server.address() as AddressInfo;
    return homePage({ http: `http://localhost:${port}`, grpc: `localhost:${this.grpc.port}` });
  }

  @Get('home.js')
  @Header('content-type', 'text/javascript; charset=utf-8')
  script(): string {
    return readFileSync(assetPath('page/home.js'), 'utf8');
  }

  @Get('home.css')
  @Header('content-type', 'text/css; charset=utf-8')
  style(): string {
    return readFileSync(assetPath('page/home.css'), 'utf8');
  }
}
