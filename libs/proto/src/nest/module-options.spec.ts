import { describeModules } from '../../../../tools/testing/module-options.js';
import { KINDS_PATH } from '../kinds.fixture.js';
import { ProtoModule, PROTO_OPTIONS } from './proto.module.js';

describeModules([
  {
    name: 'ProtoModule',
    module: ProtoModule,
    token: PROTO_OPTIONS,
    method: 'createProtoOptions',
    options: { descriptors: KINDS_PATH },
    beside: [],
    bare: () => [],
  },
]);
