import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { AuthzModule, DefaultRequires, Public, Requires } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { GatewayModule, GatewayRef } from '@apix/gateway';
import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';

const SHOP = new Uint8Array(readFileSync(new URL('../gen/shop.binpb', import.meta.url)));

@Controller('reports')
@DefaultRequires({ roles: { anyOf: ['staff'] } })
class ReportsController {
  @Get(':day')
  @Public()
  read() {}

  @Delete(':day')
  @Requires({ roles: { anyOf: ['admin'] } })
  remove() {}

  @Get()
  list() {}
}

let app: INestApplication | undefined;
afterEach(() => app?.close());

/** Who may call each operation by the document of an app, by its id. */
async function whoOf(
  openapi: object,
  isAuthorized = true,
): Promise<Readonly<Record<string, string | undefined>>> {
  const policies = AuthzModule.forRoot({
    subject: () => null,
    unannotated: 'deny',
    conditions: celConditions(),
    recordRules: 'upstream',
  });
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      GatewayModule.forRoot({ endpoint: 'shop.internal:50051', openapi }),
      ...(isAuthorized ? [policies] : []),
    ],
    controllers: [ReportsController],
  })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  await app.init();
  const controllers = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  app.get(GatewayRef).addOpenApi(controllers);
  const items = Object.values(app.get(GatewayRef).openapi().paths);
  return Object.fromEntries(
    items
      .flatMap((item) => Object.values(item))
      .map((operation) => [operation.operationId, operation['x-who-may-call']]),
  );
}

describe('an OpenAPI document', () => {
  it('says who may call a method as apix-authz report does, if it is asked to', async () => {
    expect(await whoOf({ whoMayCall: true })).toMatchObject({
      Catalog_List: 'public',
      Catalog_GetStock: 'no policy: closed',
      Orders_Create: 'any authenticated caller',
      Orders_Cancel: 'roles: any of admin; permissions: all of orders:write',
      Orders_List: 'roles: any of customer, staff, admin',
    });
  });

  it('says it of hand-written controllers that are put next to the methods', async () => {
    expect(await whoOf({ whoMayCall: true })).toMatchObject({
      ReportsController_read: 'public',
      ReportsController_remove: 'roles: any of admin',
      ReportsController_list: 'roles: any of staff',
    });
  });

  it.each([
    ['by default', {}, true],
    ['without policies', { whoMayCall: true }, false],
  ])('does not name roles %s', async (_when, openapi, isAuthorized) => {
    const who = await whoOf(openapi, isAuthorized);
    expect(Object.keys(who)).toEqual(
      expect.arrayContaining(['Orders_Cancel', 'ReportsController_remove']),
    );
    expect(Object.values(who).filter((text) => text !== undefined)).toEqual([]);
  });
});
