import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import { type PathPattern, exactly, below } from './path-pattern.js';

export type Next = (error?: unknown) => void;

/** Middleware, a route, or with four parameters a handler of errors. */
export type Work = (...args: never[]) => unknown;

export type PipelineRequest = IncomingMessage & {
  originalUrl?: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  ip?: string | undefined;
};

interface Layer {
  /** Undefined: for every path. */
  readonly pattern: PathPattern | undefined;
  /** Undefined: for every method. */
  readonly method: string | undefined;
  /** Whether the work sees `req.url` without the path that it is mounted at. */
  readonly shortens: boolean;
  readonly work: Work;
}

/** Middleware and routes of a server, run in the order of their registration. */
export class Pipeline {
  readonly #layers: Layer[] = [];

  constructor() {
    const verbs = METHODS.map((method) => [
      method.toLowerCase(),
      (path: string, work: Work) => this.at(method, path, work),
    ]);
    Object.assign(this, Object.fromEntries(verbs));
  }

  use(...args: readonly (string | Work)[]): void {
    const [first] = args;
    const path = typeof first === 'string' && first !== '/' && first !== '' ? first : undefined;
    for (const work of args) {
      if (typeof work === 'string') continue;
      const pattern = path === undefined ? undefined : below(path);
      this.#layers.push({ pattern, method: undefined, shortens: pattern !== undefined, work });
    }
  }

  /** Work for requests of exactly this path. */
  at(method: string | undefined, path: string, work: Work): void {
    this.#layers.push({ pattern: exactly(path), method, shortens: false, work });
  }

  all(path: string, work: Work): void {
    this.at(undefined, path, work);
  }

  has(name: string): boolean {
    return this.#layers.some(({ work }) => work.name === name);
  }

  handle(req: PipelineRequest, res: ServerResponse): void {
    const url = req.url ?? '/';
    req.originalUrl = url;
    req.ip = req.socket.remoteAddress;
    addHelpers(res);
    req.query = Object.fromEntries(new URLSearchParams(url.split('?')[1] ?? ''));
    const rest = this.#layers.values();
    let whole: string | undefined;
    const next: Next = (error) => {
      req.url = whole ?? req.url;
      whole = undefined;
      const { value: layer } = rest.next();
      if (layer === undefined) res.writeHead(error === undefined ? 404 : 500).end();
      else if (!isFor(layer, req, error)) next(error);
      else {
        if (layer.shortens) whole = shorten(req, layer);
        invoke(layer, req, res, next, error);
      }
    };
    next();
  }
}

/** What Nest's own adapter has of Express on a response, for the middleware and filters that call it. */
function addHelpers(res: ServerResponse): void {
  const send = (body: unknown): ServerResponse => {
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    if (!res.hasHeader('content-type')) res.setHeader('content-type', `${type}; charset=utf-8`);
    const bytes = Buffer.from(isText ? body : (JSON.stringify(body) ?? ''));
    return res.setHeader('content-length', String(bytes.length)).end(bytes);
  };
  Object.assign(res, {
    status: (code: number) => Object.assign(res, { statusCode: code }),
    header: (name: string, value: string) => res.setHeader(name, value),
    send,
    json: send,
  });
}

function isFor(layer: Layer, req: PipelineRequest, error: unknown): boolean {
  if ((error !== undefined) !== (layer.work.length === 4)) return false;
  const asked = req.method === 'HEAD' && layer.method === 'GET' ? 'GET' : req.method;
  if (layer.method !== undefined && layer.method !== asked) return false;
  if (layer.pattern === undefined) return true;
  const match = layer.pattern(pathOf(req.url ?? '/'));
  if (match === undefined) return false;
  req.params = match.params;
  return true;
}

/** Takes the path that a layer is mounted at away; returns the whole target. */
function shorten(req: PipelineRequest, { pattern }: Layer): string | undefined {
  const { url = '/' } = req;
  const path = pathOf(url);
  const below = path.slice(pattern?.(path)?.length).replace(/^\//, '');
  req.url = `/${below}${url.slice(url.indexOf(path) + path.length)}`;
  return url;
}

function invoke(
  { work }: Layer,
  req: PipelineRequest,
  res: ServerResponse,
  next: Next,
  error: unknown,
): void {
  const run = work as (...args: unknown[]) => unknown;
  const fail = (reason: unknown): void => next(reason ?? new Error('rejected'));
  try {
    const result = error === undefined ? run(req, res, next) : run(error, req, res, next);
    if (result instanceof Promise) result.catch(fail);
  } catch (reason) {
    fail(reason);
  }
}

/** The path of a target, as it was written; the whole target where it has none. */
function pathOf(target: string): string {
  const [, path = target] = /^https?:\/\/[^/?#]+(\/[^?#]*)/i.exec(target) ?? [];
  return path.split(/[?#]/)[0] ?? '';
}
