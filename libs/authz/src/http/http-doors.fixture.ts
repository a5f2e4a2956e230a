import express from 'express';
import fastify from 'fastify';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Authorizer } from '../decide/authorizer.js';
import { fastifyAuthz } from './fastify.js';
import { honoAuthz } from './hono.js';
import type { HttpAuthzOptions } from './refusal-answer.js';
import type { HttpPolicy } from './entry-rule.js';
import { expressAuthz, nodeAuthz } from './node.js';
import { subjectOf } from './subject-of.js';

/** An app with one route, `/orders/:id`, before which the middleware is. */
export interface HttpDoor {
  readonly url: string;
  /** How many requests reached the handler. */
  handled(): number;
  close(): Promise<void>;
}

export type OpenDoor = (
  authorizer: Authorizer,
  policy: HttpPolicy,
  options?: HttpAuthzOptions,
) => Promise<HttpDoor>;

/** What every handler answers: who calls, and what they sent. */
function answer(request: object, body: unknown): string {
  return JSON.stringify({ id: subjectOf(request)?.id ?? null, body });
}

async function listening(server: Server, handled: () => number): Promise<HttpDoor> {
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/orders/7`,
    handled,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      (server as Server & { closeAllConnections?: () => void }).closeAllConnections?.();
      await closed;
    },
  };
}

const openNode: OpenDoor = (authorizer, policy, options) => {
  let handled = 0;
  const may = nodeAuthz(authorizer, options);
  const server = createServer(
    may(policy, (request: IncomingMessage, response: ServerResponse) => {
      handled++;
      void text(request).then((body) => response.end(answer(request, body)));
    }),
  );
  return listening(server.listen(0, '127.0.0.1'), () => handled);
};

const openExpress: OpenDoor = (authorizer, policy, options) => {
  let handled = 0;
  const app = express();
  // An error that was passed on is answered by the app's own handler.
  const may = expressAuthz(authorizer, options);
  app.all('/orders/:id', may(policy), express.text({ type: '*/*' }), (request, response) => {
    handled++;
    response.send(answer(request, typeof request.body === 'string' ? request.body : ''));
  });
  app.use(((_error, _request, response, _next) => {
    response.status(500).send('the app answers');
  }) as express.ErrorRequestHandler);
  return listening(app.listen(0, '127.0.0.1'), () => handled);
};

const openFastify: OpenDoor = async (authorizer, policy, options) => {
  let handled = 0;
  const app = fastify();
  const may = fastifyAuthz(authorizer, options);
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler((_error, _request, reply) => reply.code(500).send('the app answers'));
  app.all('/orders/:id', { onRequest: may(policy) }, (request) => {
    handled++;
    return answer(request, request.body ?? '');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return { ...(await listening(app.server, () => handled)), close: () => app.close() };
};

const openHono: OpenDoor = (authorizer, policy, options) => {
  let handled = 0;
  const app = new Hono();
  const may = honoAuthz(authorizer, options);
  app.onError((_error, context) => context.text('the app answers', 500));
  app.all('/orders/:id', may(policy), async (context) => {
    handled++;
    return context.text(answer(context, await context.req.text()));
  });
  return listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }), () => handled);
};

/** Each kind of server for which there is middleware, as its users write it. */
export const HTTP_DOORS: readonly (readonly [name: string, open: OpenDoor])[] = [
  ['node:http', openNode],
  ['Express', openExpress],
  ['Fastify', openFastify],
  ['Hono', openHono],
];
