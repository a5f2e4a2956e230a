import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { AppPlace, MountedHandlers } from './mounted-handlers.js';

interface Request {
  readonly raw: IncomingMessage;
}

interface Reply {
  readonly raw: ServerResponse;
  getHeaders(): Readonly<Record<string, number | string | string[] | undefined>>;
  hijack(): unknown;
}

type Done = (error?: unknown) => void;

/** The part of Fastify 5 that is used. */
interface Fastify {
  readonly supportedMethods: readonly string[];
  addConstraintStrategy(strategy: object): void;
  hasConstraintStrategy(name: string): boolean;
  register(plugin: (instance: Fastify, options: unknown, done: Done) => void): unknown;
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: '*',
    parse: (req: Request, body: unknown, done: Done) => void,
  ): unknown;
  addHttpMethod(method: string): unknown;
  addHook(name: 'onRequest', hook: (req: Request, reply: Reply, done: Done) => void): unknown;
  route(options: {
    readonly method: readonly string[];
    readonly url: string;
    readonly constraints: Readonly<Record<string, string>>;
    readonly handler: (req: Request, reply: Reply) => void;
  }): unknown;
}

/**
 * A route for every path, which alone serves the requests that a handler takes. The hooks and
 * middleware that Fastify has for a route run before it, up to `preHandler`.
 */
// Why: docs/decisions/0032
export class FastifyMount implements AppPlace {
  readonly #fastify: Fastify;
  readonly #constraint: string;

  /** Call it before there are routes: those that are there already are asked before the handlers. */
  constructor(
    adapter: AbstractHttpAdapter,
    private readonly handlers: MountedHandlers,
  ) {
    const fastify = adapter.getInstance() as Fastify;
    this.#fastify = fastify;
    this.#constraint = unusedName(fastify);
    fastify.addConstraintStrategy({
      name: this.#constraint,
      storage: () => new Map<string, unknown>(),
      mustMatchWhenDerived: true,
      deriveConstraint: (req: IncomingMessage) =>
        handlers.takerOf(req) === undefined ? undefined : TAKEN,
    });
  }

  beforeModules(): void {}

  afterRoutes(): void {}

  /** As late as this, so that it comes after the plugins that the app has registered. */
  beforeListen(): void {
    this.#fastify.register((instance, _options, done) => {
      this.#addRoutes(instance);
      done();
    });
    const addHook = (instance: Fastify, _options: unknown, done: Done): void => {
      for (const handler of this.handlers.all) {
        if (handler.passes === undefined) continue;
        instance.addHook('onRequest', ({ raw }, reply, next) => {
          if (handler.passes?.(raw) === true) handler.handle(raw, reply.raw, next);
          else next();
        });
      }
      done();
    };
    this.#fastify.register(Object.assign(addHook, { [Symbol.for('skip-override')]: true }));
  }

  #addRoutes(instance: Fastify): void {
    // The body is left in the socket, whatever its type is.
    instance.removeAllContentTypeParsers();
    instance.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const method of process.getBuiltinModule('node:http').METHODS) {
      const isKnown = method === 'CONNECT' || instance.supportedMethods.includes(method);
      // Declared without a body, so that Fastify does not parse one for it.
      if (!isKnown) instance.addHttpMethod(method);
    }
    instance.route({
      method: instance.supportedMethods,
      url: '*',
      constraints: { [this.#constraint]: TAKEN },
      handler: ({ raw }, reply) => {
        const headers = Object.entries(reply.getHeaders());
        for (const [name, value] of headers) {
          if (value !== undefined) reply.raw.setHeader(name, value);
        }
        reply.hijack();
        this.handlers.takerOf(raw)?.handle(raw, reply.raw);
      },
    });
  }
}

const TAKEN = 'taken';

/** An identifier, because Fastify's router generates code with it. */
function unusedName(fastify: Fastify): string {
  let name = 'apixMount';
  for (let count = 2; fastify.hasConstraintStrategy(name); count += 1) name = `apixMount${count}`;
  return name;
}
