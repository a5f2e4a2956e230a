import { type Server, type ServerResponse, createServer } from 'node:http';
import {
  RequestMethod,
  StreamableFile,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import { AbstractHttpAdapter } from '@nestjs/core';
import express from 'express';
import { type Next, Pipeline, type PipelineRequest, type Work } from './pipeline.js';

type Request = PipelineRequest & { rawBody?: Buffer };

interface CorsOptions {
  readonly origin?: string;
  readonly credentials?: boolean;
}

/**
 * An HTTP adapter that is neither Express nor Fastify, as Nest's own `node`: `node:http`, and middleware and
 * routes in the order of their registration, which is what Nest documents for every adapter (`HttpServer`).
 */
export class NodeAdapter extends AbstractHttpAdapter<Server, Request, ServerResponse> {
  declare protected instance: Pipeline;

  constructor() {
    super(new Pipeline());
  }

  getType(): string {
    return 'node';
  }

  initHttpServer(): void {
    this.httpServer = createServer((req, res) => this.instance.handle(req, res));
  }

  override listen(...args: unknown[]): unknown {
    return (this.httpServer.listen as (...given: unknown[]) => unknown)(...args);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.httpServer.close(() => resolve());
      this.httpServer.closeIdleConnections();
    });
  }

  registerParserMiddleware(_prefix?: string, rawBody?: boolean): void {
    for (const type of ['json', 'urlencoded'] as const) {
      if (!this.instance.has(`${type}Parser`)) this.useBodyParser(type, rawBody === true);
    }
  }

  useBodyParser(
    type: 'json' | 'urlencoded' | 'raw' | 'text',
    rawBody: boolean,
    options = {},
  ): this {
    const verify = (req: Request, _res: unknown, bytes: Buffer): void => {
      req.rawBody = bytes;
    };
    this.use(express[type]({ extended: true, ...options, ...(rawBody && { verify }) }));
    return this;
  }

  /** Later, as Nest allows it. */
  async createMiddlewareFactory(
    method: RequestMethod,
  ): Promise<(path: string, callback: unknown) => void> {
    await Promise.resolve();
    const isMount = RequestMethod[method] === undefined;
    const only = isMount || method === RequestMethod.ALL ? undefined : RequestMethod[method];
    return (path, callback) => {
      if (isMount && !path.endsWith('$')) this.instance.use(path, callback as Work);
      else this.instance.at(only, path.replace(/\$$/, ''), callback as Work);
    };
  }

  enableCors({ origin = '*', credentials = false }: CorsOptions = {}): void {
    this.use((req: Request, res: ServerResponse, next: Next) => {
      res.setHeader('access-control-allow-origin', origin);
      if (credentials) res.setHeader('access-control-allow-credentials', 'true');
      if (req.method === 'OPTIONS') res.writeHead(204).end();
      else next();
    });
  }

  setNotFoundHandler(handler: Work): void {
    this.use(handler);
  }

  setErrorHandler(handler: Work): void {
    this.use(handler);
  }

  getRequestHostname(req: Request): string {
    return (req.headers.host ?? '').replace(/:\d+$/, '');
  }

  getRequestMethod(req: Request): string {
    return req.method ?? '';
  }

  getRequestUrl(req: Request): string {
    return req.originalUrl ?? req.url ?? '';
  }

  status(res: ServerResponse, code: number): ServerResponse {
    res.statusCode = code;
    return res;
  }

  reply(res: ServerResponse, body: unknown, code?: number): void {
    if (code !== undefined) res.statusCode = code;
    if (body instanceof StreamableFile) {
      if (!res.hasHeader('content-type')) res.setHeader('content-type', body.getHeaders().type);
      body.getStream().pipe(res);
      return;
    }
    if (body === undefined || body === null) res.end();
    else (res as ServerResponse & { send(body: unknown): void }).send(body);
  }

  end(res: ServerResponse, message?: string): ServerResponse {
    return res.end(message);
  }

  render(): never {
    throw new Error('node: this adapter has no views');
  }

  redirect(res: ServerResponse, code: number, location: string): void {
    res.writeHead(code, { location }).end();
  }

  isHeadersSent(res: ServerResponse): boolean {
    return res.headersSent;
  }

  getHeader(res: ServerResponse, name: string): unknown {
    return res.getHeader(name);
  }

  setHeader(res: ServerResponse, name: string, value: string): ServerResponse {
    return res.setHeader(name, value);
  }

  appendHeader(res: ServerResponse, name: string, value: string): ServerResponse {
    return res.appendHeader(name, value);
  }

  applyVersionFilter(
    handler: (...args: unknown[]) => unknown,
    version: unknown,
    options: VersioningOptions,
  ): (req: Request, res: ServerResponse, next: Next) => never {
    if (options.type !== VersioningType.HEADER)
      throw new Error('node: versions are by header here');
    return (req, res, next) => {
      const isAsked = req.headers[options.header.toLowerCase()] === version;
      return (isAsked ? handler(req, res, next) : next()) as never;
    };
  }

  useStaticAssets(): never {
    throw new Error('node: this adapter serves no files');
  }

  setViewEngine(): never {
    throw new Error('node: this adapter has no views');
  }
}
