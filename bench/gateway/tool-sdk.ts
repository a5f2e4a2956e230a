// The same tool as it is written by hand with the official SDK: its schemas by zod, a role that is asked for, and a line of the
// log for each call. SESSIONS: of the revision with sessions. BARE: on node:http, and not on Fastify.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createMcpFastifyApp } from '@modelcontextprotocol/fastify';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { pino } from 'pino';
import { z } from 'zod';
import { announce } from './announce.ts';

const log = pino(pino.destination({ dest: '/dev/null', sync: false, minLength: 4096 }));

const SUBJECTS: ReadonlyMap<string, { readonly id: string; readonly roles: ReadonlySet<string> }> =
  new Map([['Bearer ada', { id: 'ada', roles: new Set(['reader']) }]]);

const INPUT = z.object({ name: z.string() });
const OUTPUT = z
  .object({
    name: z.string(),
    title: z.string(),
    price: z.object({ currency: z.string(), units: z.string(), nanos: z.number() }).partial(),
    weightKg: z.number(),
    tags: z.array(z.string()),
  })
  .partial();

/** That of the other, as who has no descriptors writes it. */
function productOf(name: string): z.infer<typeof OUTPUT> {
  return {
    name,
    title: 'Cast iron pot with lid, enamelled, 5.3 l',
    price: { currency: 'EUR', units: '149', nanos: 900_000_000 },
    weightKg: 4.75,
    tags: Array.from({ length: 24 }, (_, index) => `tag-of-pot-${index}`),
  };
}

/** One server with the tool, for a caller with these credentials. */
function makeServer(credentials: string | null | undefined): McpServer {
  const server = new McpServer({ name: 'apix', version: '1.0.0' });
  const about = {
    description: 'Reads one product.',
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    annotations: { readOnlyHint: true },
  };
  server.registerTool('Catalog_Get', about, async ({ name }) => {
    const begun = performance.now();
    const subject = SUBJECTS.get(credentials ?? '');
    if (subject?.roles.has('reader') !== true) {
      return { content: [{ type: 'text', text: 'PERMISSION_DENIED: not allowed' }], isError: true };
    }
    const product = productOf(name);
    const duration = performance.now() - begun;
    log.info({ tool: 'Catalog_Get', subject: subject.id, status: 200, duration }, 'tool called');
    return {
      content: [{ type: 'text', text: JSON.stringify(product) }],
      structuredContent: product,
    };
  });
  return server;
}

const isHostOwn = localhostHostValidation();
const isOriginOwn = localhostOriginValidation();

type Handler = (req: IncomingMessage, res: ServerResponse, body?: unknown) => Promise<void>;

/** A server for each request, as its guide for the revision without sessions has it. */
function stateless(): Handler {
  const handler = createMcpHandler(({ requestInfo }) =>
    makeServer(requestInfo?.headers.get('authorization')),
  );
  const handle = toNodeHandler(handler);
  return (req, res, body) => handle(req, res, body);
}

/** A transport and a server for each session, as its guide for those has it. */
function withSessions(): Handler {
  const transports = new Map<string, NodeStreamableHTTPServerTransport>();
  return async (req, res, body) => {
    const id = req.headers['mcp-session-id'];
    let transport = typeof id === 'string' ? transports.get(id) : undefined;
    if (transport === undefined) {
      const made = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: true,
        onsessioninitialized: (session) => void transports.set(session, made),
      });
      await makeServer(req.headers.authorization).connect(made);
      transport = made;
    }
    await transport.handleRequest(req, res, body);
  };
}

const handle = process.env['SESSIONS'] === undefined ? stateless() : withSessions();
if (process.env['BARE'] === undefined) {
  const app = createMcpFastifyApp();
  app.post('/mcp', async (request, reply) => {
    reply.hijack();
    await handle(request.raw, reply.raw, request.body);
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  announce(app.server);
} else {
  const server = createServer((req, res) => {
    if (isHostOwn(req, res) && isOriginOwn(req, res)) void handle(req, res);
  });
  server.listen(0, '127.0.0.1', () => announce(server));
}
