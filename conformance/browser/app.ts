import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stageInterceptor } from '@apix/calls/grpc';
import { CALL_STAGE, Code, type CallStage, POLICY_SOURCE, StatusError } from '@apix/contracts';
import { GatewayModule, GatewayRef } from '@apix/gateway';
import { ProtoModule } from '@apix/proto';
import { ProtoRegistry } from '@apix/proto/core';
import { SwaggerUiModule } from '@apix/swagger-ui';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { startEchoServer } from '../../libs/gateway/src/fixtures/echo-server.fixture.js';

/** The one token that the server takes. */
export const TOKEN = 'let-me.in_7';

const descriptors = readFileSync(join(process.cwd(), 'libs/gateway/testdata/transcoding.binpb'));
const registry = ProtoRegistry.load(new Uint8Array(descriptors));

/** Stands for a policy in the descriptors: a bearer token for everything. */
const authz: CallStage = {
  [CALL_STAGE]: true,
  name: 'authz',
  bind: () => ({
    onCall: ({ metadata }) => {
      if (metadata.get('authorization')[0] === `Bearer ${TOKEN}`) return;
      throw new StatusError(Code.UNAUTHENTICATED, 'a token is needed');
    },
  }),
};
const policies = {
  [POLICY_SOURCE]: true as const,
  policyOf: () => ({ kind: 'protected' as const }),
};

@Controller('refunds')
class Refunds {
  @Get()
  list(): string[] {
    return [];
  }
}

/**
 * An app with a gateway, a controller and docs of both; returns where it listens.
 *
 * @param allowed the origin whose pages may use it.
 */
export async function startApp(
  allowed: string,
): Promise<{ origin: string; close(): Promise<void> }> {
  const echo = await startEchoServer(registry, [stageInterceptor([authz], () => undefined)]);
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: new Uint8Array(descriptors) }),
      GatewayModule.forRoot({ endpoint: echo.endpoint, openapi: { info: { title: 'Echo' } } }),
      SwaggerUiModule.forRootAsync({
        path: 'docs',
        inject: [GatewayRef],
        useFactory: (gateway: GatewayRef) => ({
          title: 'Docs of both',
          specs: [
            { name: 'gateway.json', document: () => gateway.openapi() },
            { name: 'controllers', url: '/api-json' },
          ],
        }),
      }),
    ],
    controllers: [Refunds],
    providers: [{ provide: 'policies', useValue: policies }],
  })
  class App {}
  const app: INestApplication = await NestFactory.create(App, { logger: ['error', 'warn'] });
  app.enableCors({ origin: allowed });
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  SwaggerModule.setup('api', app, document, { ui: false });
  await app.listen(0, '127.0.0.1');
  app.get(GatewayRef).addOpenApi(document);
  return {
    origin: await app.getUrl(),
    close: async () => {
      await app.close();
      echo.stop();
    },
  };
}
