import type { IncomingMessage, ServerResponse } from 'node:http';
import { markInfrastructureRequest } from '@apix/contracts';
import { readTarget, sendResponse, targetOf, TEXT } from '@apix/contracts/internal';
import { resolvePageOptions, type SwaggerUiOptions } from '../options.js';
import { Site } from '../site.js';
import { sendFile } from './send-file.js';

type PassOn = (error?: unknown) => void;

/** A request handler of node:http, Connect or Express. */
export type SwaggerUiHandler = (req: IncomingMessage, res: ServerResponse, next?: PassOn) => void;

export interface SwaggerUiHandlerOptions extends SwaggerUiOptions {
  /**
   * The path of the page within the paths of the handler. Omit it behind a router that removes the
   * prefix, such as `app.use('/docs', swaggerUi(...))`. Default: `/`.
   */
  readonly path?: string;
}

/**
 * Serves the docs on any Node HTTP server. Other requests are passed to `next`; without `next` they
 * get 404, or 405 for methods other than GET and HEAD.
 *
 * @throws SwaggerUiOptionsError that lists every mistake in the options.
 */
export function swaggerUi(options: SwaggerUiHandlerOptions): SwaggerUiHandler {
  const site = new Site(resolvePageOptions(options, { path: TEXT }));
  const prefix = (options.path ?? '/').replace(/\/*$/, '/');
  const serve = async (req: IncomingMessage, res: ServerResponse, next?: PassOn): Promise<void> => {
    const { path } = readTarget(req.url ?? '/');
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const inside = path.startsWith(prefix) || `${path}/` === prefix;
    if (!inside || !isRead) {
      if (next !== undefined) next();
      else refuse(res, inside ? 405 : 404);
      return;
    }
    const name = path.slice(prefix.length);
    const file = name === '' ? site.page(targetOf(req).path) : await site.file(name);
    if (file !== undefined) {
      markInfrastructureRequest(req);
      sendFile(file, req, res);
    } else if (next === undefined) refuse(res, 404);
    else next();
  };
  const attempt = async (
    req: IncomingMessage,
    res: ServerResponse,
    next?: PassOn,
  ): Promise<void> => {
    try {
      await serve(req, res, next);
    } catch (error) {
      if (next !== undefined) next(error);
      else if (res.headersSent) res.destroy();
      else refuse(res, 500);
    }
  };
  return (req, res, next) => void attempt(req, res, next);
}

function refuse(res: ServerResponse, status: number): void {
  if (status === 405) res.setHeader('allow', 'GET, HEAD');
  sendResponse(res, status);
}
