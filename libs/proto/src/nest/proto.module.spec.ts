import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { KINDS_PATH } from '../kinds.fixture.js';
import { ProtoRegistry } from '../proto-registry.js';
import { ProtoModule, type ProtoModuleOptions } from './proto.module.js';

@Injectable()
class Reader {
  constructor(readonly protos: ProtoRegistry) {}
}

@Injectable()
class Factory {
  createProtoOptions(): ProtoModuleOptions {
    return { descriptors: KINDS_PATH };
  }
}

@Module({ providers: [Reader] })
class ElsewhereModule {}

describe('ProtoModule', () => {
  it.each([
    ['forRoot', () => ProtoModule.forRoot({ descriptors: KINDS_PATH })],
    [
      'forRootAsync',
      () => ProtoModule.forRootAsync({ useFactory: async () => ({ descriptors: [KINDS_PATH] }) }),
    ],
    ['forRootAsync and a class', () => ProtoModule.forRootAsync({ useClass: Factory })],
  ])('provides one registry to every module, with %s', async (_, module) => {
    const app = await Test.createTestingModule({ imports: [module(), ElsewhereModule] }).compile();
    const { protos } = app.get(Reader, { strict: false });
    expect(protos).toBe(app.get(ProtoRegistry, { strict: false }));
    expect(protos.method('/apix.testdata.Probe/Unary')).toBeDefined();
  });

  it('with isGlobal: false provides it only to modules that import this one', async () => {
    const local = ProtoModule.forRoot({ descriptors: KINDS_PATH, isGlobal: false });
    await expect(
      Test.createTestingModule({ imports: [local, ElsewhereModule] }).compile(),
    ).rejects.toThrow(/dependencies of the Reader/);
    @Module({ imports: [local], providers: [Reader] })
    class ImporterModule {}
    const app = await Test.createTestingModule({ imports: [ImporterModule] }).compile();
    expect(app.get(Reader, { strict: false }).protos).toBeInstanceOf(ProtoRegistry);
  });

  it('does not start with descriptors that cannot be loaded', async () => {
    const module = ProtoModule.forRoot({ descriptors: ['/no/a.binpb', '/no/b.binpb'] });
    await expect(Test.createTestingModule({ imports: [module] }).compile()).rejects.toThrow(
      /2 mistakes/,
    );
  });
});
