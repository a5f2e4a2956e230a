import { ProtoModule } from '@apix/proto';
import { describeModules } from '../../../../tools/testing/module-options.js';
import { SHOP } from '../../../grpc-client/src/client.fixture.js';
import { GrpcModule } from './grpc.module.js';
import { GRPC_OPTIONS, VALIDATION_OPTIONS } from './tokens.js';
import { ValidationModule } from './validation.module.js';

const PROTOS = ProtoModule.forRoot({ descriptors: SHOP });

describeModules([
  {
    name: 'GrpcModule',
    module: GrpcModule,
    token: GRPC_OPTIONS,
    method: 'createGrpcOptions',
    options: { port: 0 },
    beside: [PROTOS],
    // It needs a ProtoModule beside it.
    bare: () => [],
  },
  {
    name: 'ValidationModule',
    module: ValidationModule,
    token: VALIDATION_OPTIONS,
    method: 'createValidationOptions',
    options: { failFast: true },
    beside: [PROTOS],
    bare: () => [],
  },
]);
