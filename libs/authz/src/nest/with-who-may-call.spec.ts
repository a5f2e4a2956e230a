import 'reflect-metadata';
import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  All,
  Controller,
  Get,
  type INestApplication,
  Module,
  Param,
  Post,
  type Type,
  VersioningType,
} from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { celConditions } from '../conditions/cel-conditions.js';
import { DefaultRequires, EnforceMethod, Public, Requires } from './authz.decorators.js';
import { AuthzModule } from './authz.module.js';
import { SHOP, subjectFromHeader } from './shop.fixture.js';
import { withWhoMayCall } from './with-who-may-call.js';

const ADMIN = { roles: { anyOf: ['admin'] } };
const IN_PARIS = { id: 'paris', expression: "request.params.city == 'paris'" };

@Controller('reports')
class Reports {
  @Get()
  @Requires({ ...ADMIN, permissions: { allOf: ['reports:read'] } })
  list() {}

  @Get(':city')
  @Requires({ request: { params: { city: 'string' } }, conditions: [IN_PARIS] })
  ofCity(@Param('city') _city: string) {}

  @Post(':city/files/*')
  @Public()
  upload() {}

  @Get('mine')
  @EnforceMethod('/test.Orders/Cancel')
  mine() {}

  @Get('open')
  open() {}
}

class Kept {
  @Get('kept')
  read() {}
}

@Controller('staff')
@DefaultRequires({ roles: { anyOf: ['staff'] } })
class Staff extends Kept {
  @All('any')
  @Requires({})
  any() {}
}

@Controller({ path: 'guests', version: '2' })
@Public()
class Guests extends Kept {}

/** Which of the two answers, its host decides. */
@Controller({ path: 'shared', host: 'a.example' })
class HereShared {
  @Get()
  @Requires(ADMIN)
  read() {}
}

@Controller({ path: 'shared', host: 'b.example' })
class ThereShared {
  @Get()
  @Public()
  read() {}
}

@Module({ controllers: [Guests] })
class GuestsModule {}

let app: INestApplication | undefined;
afterEach(() => app?.close());

const ADAPTERS = {
  Express: () => new ExpressAdapter(),
  Fastify: () => new FastifyAdapter(),
};

async function startOn(
  platform: keyof typeof ADAPTERS,
  unannotated: 'allow' | 'deny',
  more: readonly Type[] = [],
): Promise<INestApplication> {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      GuestsModule,
      RouterModule.register([{ path: 'inner', module: GuestsModule }]),
      AuthzModule.forRoot({
        subject: subjectFromHeader,
        unannotated,
        conditions: celConditions(),
        ...(unannotated === 'deny' && { exempt: ['Reports.open'] }),
      }),
    ],
    controllers: [Reports, Staff, ...more],
  })
  class App {}
  const made = await NestFactory.create(App, ADAPTERS[platform](), {
    logger: false,
    abortOnError: false,
  });
  made.setGlobalPrefix('api');
  made.enableVersioning({ type: VersioningType.URI });
  await made.init();
  return (app = made);
}

/** What each operation of the document says, by its method and path. */
function saidIn(document: object): Record<string, unknown> {
  const { paths } = document as { paths: Record<string, Record<string, object>> };
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      `${method} ${path}`,
      (operation as { 'x-who-may-call'?: string })['x-who-may-call'],
    ]),
  );
  return Object.fromEntries(rows) as Record<string, unknown>;
}

function documentOf(made: INestApplication) {
  return SwaggerModule.createDocument(made, new DocumentBuilder().build());
}

describe.each(Object.keys(ADAPTERS) as (keyof typeof ADAPTERS)[])(
  'a document of controllers on %s',
  (platform) => {
    it('says who may call each of them, where their guard knows it', async () => {
      const made = await startOn(platform, 'allow');
      const said = saidIn(withWhoMayCall(made, documentOf(made)));
      expect(said).toMatchObject({
        'get /api/reports': 'roles: any of admin; permissions: all of reports:read',
        'get /api/reports/{city}': "paris: request.params.city == 'paris'",
        'post /api/reports/{city}/files/{path}': 'public',
        'get /api/reports/mine': 'roles: any of admin',
        'get /api/reports/open': 'no policy: open to all',
        'get /api/staff/kept': 'roles: any of staff',
        'get /api/staff/any': 'any authenticated caller',
        'delete /api/staff/any': 'any authenticated caller',
        'get /api/v2/inner/guests/kept': 'public',
      });
    });

    it('says which are closed, and which need no policy', async () => {
      const made = await startOn(platform, 'deny');
      expect(saidIn(withWhoMayCall(made, documentOf(made)))).toMatchObject({
        'get /api/reports/open': 'no policy: exempt',
        'get /api/reports/mine': 'roles: any of admin',
      });
    });
  },
);

describe('a document', () => {
  it.each([
    ['says nothing of a path whose handlers disagree', [HereShared, ThereShared], undefined],
    ['says what the one handler of a host requires', [HereShared], 'roles: any of admin'],
  ])('%s', async (_what, more, who) => {
    const made = await startOn('Express', 'allow', more);
    const said = saidIn(withWhoMayCall(made, documentOf(made)));
    expect(Object.keys(said)).toContain('get /api/shared');
    expect(said['get /api/shared']).toBe(who);
  });

  it('is not changed by a copy that says who may call its operations', async () => {
    const made = await startOn('Express', 'allow');
    const document = documentOf(made);
    const before = structuredClone(document);
    withWhoMayCall(made, document);
    expect(document).toEqual(before);
  });

  it('says nothing of what the app does not serve at its paths, and has no paths if it had none', async () => {
    const made = await startOn('Express', 'allow');
    const elsewhere = {
      paths: { '/reports': { get: {}, parameters: [] }, '/api/staff/any': { parameters: [] } },
    };
    expect(withWhoMayCall(made, elsewhere)).toEqual(elsewhere);
    expect(withWhoMayCall(made, { openapi: '3.1.0' })).toEqual({ openapi: '3.1.0' });
  });
});
