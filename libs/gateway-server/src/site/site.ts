import type { IncomingMessage, ServerResponse } from 'node:http';
import { markInfrastructureRequest } from '@apix/contracts';
import { sendResponse, targetOf, refusesType } from '@apix/contracts/internal';
import type { RequestHandler } from '@apix/gateway/core';
import { swaggerUi } from '@apix/swagger-ui/core';
import type { Catalogue } from '../catalogue/catalogue.js';
import type { GatewaySettings } from '../settings/setting-table.js';

/** The parts that answer requests. */
export interface SiteParts {
  readonly settings: GatewaySettings;
  readonly catalogue: Catalogue;
  /** Health and metrics, if they are served on the same port as the API. */
  readonly infrastructure: readonly RequestHandler[];
  /** Tools for agents; undefined if they are not served. */
  readonly tools?: RequestHandler | undefined;
}

/** Serves everything on the callers' port: health, metrics and pages by path, then the API. */
export function site({ settings, catalogue, infrastructure, tools }: SiteParts): RequestHandler {
  const { docs = '/docs', openapi = '/openapi.json', title = 'API' } = settings;
  const handlers: RequestHandler[] = [...infrastructure];
  if (openapi !== 'off') handlers.push(documentAt(openapi, catalogue));
  if (docs !== 'off') {
    const document = (): object => catalogue.current?.openapi() ?? NOTHING_YET;
    handlers.push(swaggerUi({ path: docs, title, specs: [{ name: 'openapi.json', document }] }));
  }
  if (tools !== undefined) handlers.push(tools);
  handlers.push((req, res) => serveApi(catalogue, req, res));
  return (req, res) => pass(handlers, 0, req, res);
}

/** Serves one handler at one path; passes all other requests to the next handler. */
export function atPath(path: string, handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (targetOf(req).path === path) handler(req, res);
    else next?.();
  };
}

/** Tries the handlers in order; answers 404 if none of them does. */
export function firstOf(handlers: readonly RequestHandler[]): RequestHandler {
  return (req, res) => pass([...handlers, notFound], 0, req, res);
}

/** The document that the docs page shows until the descriptors are known. */
const NOTHING_YET = {
  openapi: '3.1.0',
  info: { title: 'The gRPC server has not described itself yet', version: '0.0.0' },
  paths: {},
};

function pass(
  handlers: readonly RequestHandler[],
  index: number,
  req: IncomingMessage,
  res: ServerResponse,
): void {
  handlers[index]?.(req, res, (error) => {
    if (error === undefined || error === null) pass(handlers, index + 1, req, res);
    else sendResponse(res, 500);
  });
}

const notFound: RequestHandler = (_req, res) => {
  sendResponse(res, 404);
};

function documentAt(path: string, catalogue: Catalogue): RequestHandler {
  return atPath(path, (req, res) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      sendResponse(res, 405, { allow: 'GET, HEAD' });
      return;
    }
    markInfrastructureRequest(req);
    const { current } = catalogue;
    if (current === undefined) refuseForNow(res);
    else if (refusesType(req.headers.accept, 'application/json')) sendResponse(res, 406);
    else send(res, 200, 'application/json', current.openapi());
  });
}

function serveApi({ current }: Catalogue, req: IncomingMessage, res: ServerResponse): void {
  if (current === undefined) refuseForNow(res);
  else current.gateway.handle(req, res);
}

/** Answers in the format of the gateway's problem documents (RFC 9457). */
export function refuseForNow(res: ServerResponse): void {
  res.setHeader('retry-after', '1');
  send(res, 503, 'application/problem+json', {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: 'what is served is not known yet',
    code: 'UNAVAILABLE',
  });
}

function send(res: ServerResponse, status: number, type: string, content: object): void {
  const body = Buffer.from(JSON.stringify(content));
  sendResponse(res, status, { 'content-type': type, 'content-length': body.length }, body);
}
