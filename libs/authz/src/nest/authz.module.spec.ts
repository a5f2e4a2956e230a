import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Authorizer } from '../decide/authorizer.js';
import { AuthzModule, type AuthzModuleOptions, AUTHZ_OPTIONS } from './authz.module.js';
import { SHOP, subjectFromHeader } from './shop.fixture.js';

const OPTIONS: AuthzModuleOptions = { subject: subjectFromHeader, unannotated: 'deny' };

@Injectable()
class Factory {
  createAuthzOptions(): AuthzModuleOptions {
    return OPTIONS;
  }
}

@Injectable()
class Reader {
  constructor(readonly authorizer: Authorizer) {}
}

@Module({ providers: [Reader] })
class Elsewhere {}

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function start(authz: ReturnType<typeof AuthzModule.forRoot>, more: Type[] = []) {
  @Module({ imports: [ProtoModule.forRoot({ descriptors: SHOP }), authz, ...more] })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  return app;
}

describe('AuthzModule', () => {
  it.each([
    ['forRoot', () => AuthzModule.forRoot(OPTIONS)],
    ['forRootAsync with useFactory', () => AuthzModule.forRootAsync({ useFactory: () => OPTIONS })],
    ['forRootAsync with useClass', () => AuthzModule.forRootAsync({ useClass: Factory })],
  ])('is global by %s, and reads the descriptors of ProtoModule', async (_, module) => {
    const { authorizer } = (await start(module(), [Elsewhere])).get(Reader, { strict: false });
    expect(authorizer.unannotated).toBe('deny');
    expect(authorizer.methods.has('/test.Orders/Cancel')).toBe(true);
  });

  it('takes no option isGlobal for one of the authorizer', async () => {
    const options: unknown = (await start(AuthzModule.forRoot({ ...OPTIONS, isGlobal: true }))).get(
      AUTHZ_OPTIONS,
      { strict: false },
    );
    expect(options).toEqual(OPTIONS);
  });

  it.each([
    ['forRoot', () => AuthzModule.forRoot({ ...OPTIONS, isGlobal: false })],
    [
      'forRootAsync',
      () => AuthzModule.forRootAsync({ useFactory: () => OPTIONS, isGlobal: false }),
    ],
  ])('with isGlobal: false by %s provides its authorizer to its importers only', async (_, of) => {
    await expect(start(of(), [Elsewhere])).rejects.toThrow(/dependencies of the Reader/);
    const local = await start(of());
    expect(local.get(Authorizer, { strict: false })).toBeInstanceOf(Authorizer);
  });
});
