import { isCallStage } from '@apix/contracts/internal';
import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { SHOP } from '../../../grpc-client/src/client.fixture.js';
import type { GrpcModuleOptions } from '../server/grpc-options.js';
import { GrpcServer } from './grpc-server.js';
import { GrpcModule } from './grpc.module.js';
import { GRPC_OPTIONS, VALIDATION_OPTIONS, VALIDATION_STAGE } from './tokens.js';
import { ValidationModule, type ValidationModuleOptions } from './validation.module.js';

const PORT: GrpcModuleOptions = { port: 0 };
const FAST: ValidationModuleOptions = { failFast: true };

@Injectable()
class GrpcFactory {
  createGrpcOptions(): GrpcModuleOptions {
    return PORT;
  }
}

@Injectable()
class ValidationFactory {
  createValidationOptions(): ValidationModuleOptions {
    return FAST;
  }
}

@Injectable()
class Reader {
  constructor(readonly server: GrpcServer) {}
}

@Module({ providers: [Reader] })
class Elsewhere {}

let app: TestingModule | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function compile(...imports: (DynamicModule | typeof Elsewhere)[]): Promise<TestingModule> {
  app = await Test.createTestingModule({
    imports: [ProtoModule.forRoot({ descriptors: SHOP }), ...imports],
  }).compile();
  return app;
}

describe('GrpcModule', () => {
  it.each<[string, () => DynamicModule, GrpcModuleOptions]>([
    ['forRoot() without an argument', () => GrpcModule.forRoot(), {}],
    ['forRoot', () => GrpcModule.forRoot(PORT), PORT],
    [
      'forRootAsync with useFactory',
      () => GrpcModule.forRootAsync({ useFactory: () => PORT }),
      PORT,
    ],
    ['forRootAsync with useClass', () => GrpcModule.forRootAsync({ useClass: GrpcFactory }), PORT],
  ])('is global by %s', async (_, module, options) => {
    const found = await compile(module(), Elsewhere);
    expect(found.get(Reader, { strict: false }).server).toBeInstanceOf(GrpcServer);
    expect(found.get(GRPC_OPTIONS, { strict: false })).toEqual(options);
  });

  it.each([
    ['forRoot', () => GrpcModule.forRoot({ isGlobal: false })],
    ['forRootAsync', () => GrpcModule.forRootAsync({ useFactory: () => PORT, isGlobal: false })],
  ])('with isGlobal: false by %s provides its server to its importers only', async (_, module) => {
    await expect(compile(module(), Elsewhere)).rejects.toThrow(/dependencies of the Reader/);
    expect((await compile(module())).get(GrpcServer, { strict: false })).toBeInstanceOf(GrpcServer);
  });
});

describe('ValidationModule', () => {
  it.each<[string, () => DynamicModule, ValidationModuleOptions]>([
    ['forRoot() without an argument', () => ValidationModule.forRoot(), {}],
    ['forRoot', () => ValidationModule.forRoot({ ...FAST, isGlobal: false }), FAST],
    [
      'forRootAsync with useFactory',
      () => ValidationModule.forRootAsync({ useFactory: () => FAST }),
      FAST,
    ],
    [
      'forRootAsync with useClass',
      () => ValidationModule.forRootAsync({ useClass: ValidationFactory }),
      FAST,
    ],
  ])('offers its stage by %s', async (_, module, options) => {
    const found = await compile(module());
    expect(isCallStage(found.get(VALIDATION_STAGE, { strict: false }))).toBe(true);
    expect(found.get(VALIDATION_OPTIONS, { strict: false })).toEqual(options);
  });

  it('does not start with an option of another type', async () => {
    const options = { failFast: 'yes' } as unknown as ValidationModuleOptions;
    await expect(compile(ValidationModule.forRoot(options))).rejects.toThrow(
      'grpc: failFast: must be true or false, not "yes"',
    );
  });
});
