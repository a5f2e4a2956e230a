import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthzModule, type AuthzModuleOptions, type Subject } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { encodeBadRequest } from '@apix/calls';
import { Code, StatusError } from '@apix/contracts';
import { connectGrpc, GrpcModule } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { ProtoRegistry } from '@apix/proto/core';
import {
  Controller,
  type INestApplication,
  Module,
  type ModuleMetadata,
  type NestApplicationOptions,
} from '@nestjs/common';
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core';
import { GrpcMethod } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Observable } from 'rxjs';
import { NodeAdapter } from '../../../tools/testing/node-adapter/node-adapter.js';
import { McpModule } from './nest/mcp.module.js';
import type { McpOptions } from './options.js';

const bytes = new Uint8Array(readFileSync(new URL('../testdata/notes.binpb', import.meta.url)));

/** The services of proto/notes/v1/notes.proto. */
export const NOTES = ProtoRegistry.load(bytes);

export const ADAPTERS: Readonly<Record<string, () => AbstractHttpAdapter>> = {
  Express: () => new ExpressAdapter(),
  Fastify: () => new FastifyAdapter(),
  Node: () => new NodeAdapter(),
};

/** Callers by the token that they send. */
export const CALLERS: Readonly<Record<string, Subject>> = {
  ada: { id: 'ada', roles: ['reader'], permissions: [] },
  bob: { id: 'bob', roles: ['reader'], permissions: [] },
  root: { id: 'root', roles: ['admin', 'reader'], permissions: [] },
  guest: { id: 'guest', roles: [], permissions: [] },
};

/** Anyone without a token is anonymous; a token that is not one of {@link CALLERS} is refused. */
export const byToken: AuthzModuleOptions['subject'] = ({ metadata }) => {
  const [credentials] = metadata.get('authorization');
  if (credentials === undefined) return null;
  const subject = CALLERS[credentials.replace('Bearer ', '')];
  if (subject === undefined) throw new Error('no such token');
  return subject;
};

interface Note {
  readonly name: string;
  readonly owner: string;
  readonly size: bigint;
}

/** What the handlers were called with. */
export const handled: { readonly method: string; readonly request: unknown }[] = [];

@Controller()
class Notes {
  @GrpcMethod('notes.v1.Notes', 'Show')
  show(request: Note): object {
    return echo('Show', request);
  }

  @GrpcMethod('notes.v1.Notes', 'Find')
  find(request: Note): object {
    return echo('Find', request);
  }

  @GrpcMethod('notes.v1.Notes', 'Remove')
  remove(request: Note): object {
    return echo('Remove', request);
  }

  @GrpcMethod('notes.v1.Notes', 'Change')
  change(request: Note): object {
    return echo('Change', request);
  }

  @GrpcMethod('notes.v1.Notes', 'Admire')
  admire(request: Note): object {
    return echo('Admire', request);
  }

  @GrpcMethod('notes.v1.Notes', 'Hide')
  hide(request: Note): object {
    return echo('Hide', request);
  }

  @GrpcMethod('notes.v1.Notes', 'Fail')
  fail({ name }: Note): never {
    const violation = { field: 'name', description: 'is wrong', reason: 'test' };
    const details = [encodeBadRequest([violation])];
    throw new StatusError(Code.FAILED_PRECONDITION, `no ${name}\u0007`, { details });
  }

  @GrpcMethod('notes.v1.Notes', 'Count')
  count(): { value: bigint } {
    return { value: 9_007_199_254_740_993n };
  }

  @GrpcMethod('notes.v1.Notes', 'Watch')
  watch({ name, size }: Note): Observable<Partial<Note>> {
    return new Observable((observer) => {
      for (let i = 1n; i <= size; i += 1n) observer.next({ name, size: i });
      // One that is called "on" goes on.
      if (name !== 'on') observer.complete();
    });
  }
}

function echo(method: string, request: Note): object {
  handled.push({ method, request });
  const { name, owner, size } = request;
  return { name, owner, size, pin: '1234', phone: '555', inner: { pin: '5678', name: 'inner' } };
}

type HttpsOptions = NonNullable<NestApplicationOptions['httpsOptions']>;

/** What an app is made of. */
export interface NotesPlan {
  readonly adapter?: AbstractHttpAdapter;
  readonly mcp?: McpOptions;
  /** Undefined: policies by token. */
  readonly authz?: Partial<AuthzModuleOptions> | undefined;
  readonly module?: ModuleMetadata;
  /** Of the HTTP server. Undefined: none. */
  readonly tls?: HttpsOptions;
  readonly main?: (app: INestApplication) => void;
}

export interface NotesApp {
  readonly app: INestApplication;
  readonly port: number;
  readonly url: string;
}

/** Starts an app with the notes, on a free port of the loopback interface. */
export async function startNotes(plan: NotesPlan = {}): Promise<NotesApp> {
  const { adapter = new ExpressAdapter(), mcp = {}, authz = {}, module = {}, tls, main } = plan;
  @Module({
    ...module,
    imports: [
      ProtoModule.forRoot({ descriptors: bytes }),
      AuthzModule.forRoot({ subject: byToken, conditions: celConditions(), ...authz }),
      GrpcModule.forRoot({ port: 0 }),
      McpModule.forRoot(mcp),
      HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
      ...(module.imports ?? []),
    ],
    controllers: [Notes, ...(module.controllers ?? [])],
  })
  class App {}
  const app = await NestFactory.create(App, adapter, {
    ...(tls !== undefined && { httpsOptions: tls }),
    logger: false,
    abortOnError: false,
  });
  connectGrpc(app);
  main?.(app);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return { app, port, url: `http://127.0.0.1:${port}/mcp` };
}

/** The headers and the body of a request of the revision without sessions. */
export function statelessRequest(
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  token?: string,
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    ...(params['_meta'] as object | undefined),
  };
  const { name } = params;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  return { headers, body };
}

/** Sends one, and reads its answer as JSON. */
export async function ask(
  url: string,
  ...request: Parameters<typeof statelessRequest>
): Promise<{ readonly status: number; readonly headers: Headers; readonly json: Answer }> {
  const { headers, body } = statelessRequest(...request);
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: text === '' ? undefined : JSON.parse(text),
  };
}

/** What is read of an answer. */
export interface Answer {
  readonly id?: unknown;
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly { readonly text: string }[];
    readonly structuredContent?: unknown;
    readonly isError?: boolean;
    readonly [name: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
