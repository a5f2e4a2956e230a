import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import type { DynamicModule, INestApplication } from '@nestjs/common';
import { type AbstractHttpAdapter } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { MercuriusDriver, type MercuriusDriverConfig } from '@nestjs/mercurius';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** What the tests set of both drivers. */
export interface GraphqlOptions {
  readonly fieldResolverEnhancers?: ['guards'];
  /** In place of the driver's own. */
  readonly context?: object | ((...args: never[]) => unknown);
}

/** Both of Nest's drivers, each on the platform that it is used on. */
export interface GraphqlDriver {
  readonly adapter: () => AbstractHttpAdapter;
  readonly module: (options?: GraphqlOptions) => DynamicModule;
}

export const GRAPHQL_DRIVERS: Readonly<Record<string, GraphqlDriver>> = {
  'Apollo on Express': {
    adapter: () => new ExpressAdapter(),
    module: (options = {}) =>
      GraphQLModule.forRoot<ApolloDriverConfig>({
        driver: ApolloDriver,
        autoSchemaFile: true,
        graphiql: false,
        allowBatchedHttpRequests: true,
        subscriptions: { 'graphql-ws': true },
        ...(options as ApolloDriverConfig),
      }),
  },
  'Mercurius on Fastify': {
    adapter: () => new FastifyAdapter(),
    module: (options = {}) =>
      GraphQLModule.forRoot<MercuriusDriverConfig>({
        driver: MercuriusDriver,
        autoSchemaFile: true,
        graphiql: false,
        allowBatchedQueries: true,
        subscription: { fullWsTransport: true },
        ...(options as MercuriusDriverConfig),
      }),
  },
};

/** An answer of a GraphQL server. */
export interface GraphqlAnswer {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/** Sends one operation, or several in a batch, over HTTP. */
export async function query<T = GraphqlAnswer>(
  app: INestApplication,
  text: string | readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Promise<T> {
  const body = typeof text === 'string' ? { query: text } : text.map((each) => ({ query: each }));
  const answer = await fetch(`${await app.getUrl()}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

/** What comes of a subscription over graphql-ws until it ends. */
export async function subscribe(
  app: INestApplication,
  text: string,
  headers: Readonly<Record<string, string>> = {},
  connectionParams?: Readonly<Record<string, unknown>>,
): Promise<GraphqlAnswer[]> {
  const client = createClient({
    url: `${(await app.getUrl()).replace('http', 'ws')}/graphql`,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocols: string) {
        super(url, protocols, { headers });
      }
    },
    retryAttempts: 0,
    ...(connectionParams && { connectionParams }),
  });
  const answers: GraphqlAnswer[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      client.subscribe<unknown>(
        { query: text },
        {
          next: (answer) => void answers.push(answer as GraphqlAnswer),
          error: (error) => {
            if (!Array.isArray(error)) return reject(error);
            answers.push({ errors: error as GraphqlAnswer['errors'] & object });
            resolve();
          },
          complete: resolve,
        },
      );
    });
  } finally {
    await client.dispose();
  }
  return answers;
}
