import { GrpcModule } from '@apix/grpc';
import { ValidationModule } from '@apix/grpc/validation';
import { ProtoModule } from '@apix/proto';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import type { ModuleMetadata } from '@nestjs/common';
import { TRANSCODING } from '../fixtures/echo-server.fixture.js';
import { fileURLToPath } from 'node:url';
import { GatewayModule } from './gateway.module.js';

const start = (...imports: NonNullable<ModuleMetadata['imports']>) =>
  Test.createTestingModule({ imports }).compile();

const MODULES = [
  ['GrpcModule', () => GrpcModule.forRoot({ port: 0 })],
  ['GatewayModule', () => GatewayModule.forRoot({ endpoint: 'localhost:1' })],
  ['ValidationModule', () => ValidationModule.forRoot()],
] as const;

describe('an app without ProtoModule', () => {
  it.each(MODULES)(
    'does not start with %s, and is told which line to add',
    async (name, module) => {
      await expect(start(module())).rejects.toThrow(
        `proto: ${name} needs ProtoModule: add ProtoModule.forRoot({ descriptors: 'gen/api.binpb' }) to the imports`,
      );
    },
  );

  it.each(MODULES)('is one whose ProtoModule is not global, for %s', async (name, module) => {
    const descriptors = fileURLToPath(TRANSCODING);
    const local = ProtoModule.forRoot({ descriptors, isGlobal: false });
    await expect(start(local, module())).rejects.toThrow(`${name} needs ProtoModule`);
    const app = await start(ProtoModule.forRoot({ descriptors }), module());
    await app.close();
  });
});
