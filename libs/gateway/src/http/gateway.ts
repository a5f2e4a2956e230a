import type { IncomingMessage, ServerResponse } from 'node:http';
import { Code, StatusError } from '@apix/contracts';
import type { ProtoRegistry } from '@apix/proto/core';
import type { Caller } from '../call/caller.js';
import { Refusal } from '../errors.js';
import { type TranscodingOptions, resolveTranscoding } from '../options.js';
import type { Binding } from '../rules/binding.js';
import { compileServices } from '../rules/compile-services.js';
import type { RouteTable } from '../template/route-table.js';
import { Exchange } from './exchange.js';

/** What Connect and Express call `next`. */
export type Next = (error?: unknown) => void;

/** A request handler of node:http, Connect, Express or middie. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, next?: Next) => void;

export interface GatewayOptions extends TranscodingOptions {
  /** The path under which the rules' own paths begin. Default: `/`. */
  readonly mount?: string;
}

/** Serves the HTTP rules of a registry's services by calling them through a caller. */
export class Gateway {
  /** Every HTTP method and path that is served. */
  readonly bindings: readonly Binding[];
  private readonly table: RouteTable<Binding>;
  private readonly exchange: Exchange;
  private readonly prefix: string;

  /** @throws GatewayConfigError that lists what is wrong with the rules or the options. */
  constructor(
    registry: ProtoRegistry,
    readonly caller: Caller,
    options: GatewayOptions = {},
  ) {
    const { bindings, table } = compileServices(registry.services);
    this.bindings = bindings;
    this.table = table;
    this.exchange = new Exchange(caller, registry.registry, resolveTranscoding(options));
    this.prefix = (options.mount ?? '/').replace(/\/+$/, '');
  }

  /**
   * Serves a request. With `next`, what no rule serves is handed on, untouched; without it, or
   * below a mount path of its own, the gateway answers 404, and 405 with `Allow`.
   */
  readonly handle: RequestHandler = (req, res, next) => {
    const url = (req as { originalUrl?: string }).originalUrl ?? req.url ?? '/';
    const mark = url.indexOf('?');
    const whole = mark === -1 ? url : url.slice(0, mark);
    const path = this.below(whole);
    const match = path === undefined ? undefined : this.table.match(req.method ?? 'GET', path);
    if (match?.kind === 'route') {
      const query = mark === -1 ? '' : url.slice(mark + 1);
      const { route: binding, segments } = match;
      void this.exchange.serve({ req, res, binding, segments, query });
      return;
    }
    if (next !== undefined && (path === undefined || this.prefix === '')) next();
    else this.refuse(req, res, whole, match?.allowed);
  };

  /** The path below the mount path; undefined outside of it. */
  private below(path: string): string | undefined {
    if (this.prefix === '') return path.startsWith('/') ? path : undefined;
    if (path === this.prefix) return '/';
    return path.startsWith(`${this.prefix}/`) ? path.slice(this.prefix.length) : undefined;
  }

  private refuse(
    req: IncomingMessage,
    res: ServerResponse,
    path: string,
    allowed: readonly string[] | undefined,
  ): void {
    if (allowed === undefined) {
      const error = new StatusError(Code.NOT_FOUND, `nothing is served at ${path.slice(0, 200)}`);
      this.exchange.refuse(res, error);
      return;
    }
    const headers = { allow: [...new Set([...allowed, 'OPTIONS'])].join(', ') };
    if (req.method === 'OPTIONS') {
      res.writeHead(204, headers).end();
      return;
    }
    const error = new StatusError(Code.UNIMPLEMENTED, `${req.method} is not served at this path`);
    this.exchange.refuse(res, new Refusal(error, { httpStatus: 405, headers }));
  }
}
