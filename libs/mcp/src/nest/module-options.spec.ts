import { GrpcModule } from '@apix/grpc';
import { ProtoModule } from '@apix/proto';
import { readFileSync } from 'node:fs';
import { describeModules } from '../../../../tools/testing/module-options.js';
import { MCP_MODULE_OPTIONS, McpModule } from './mcp.module.js';

const descriptors = new Uint8Array(
  readFileSync(new URL('../../testdata/tools.binpb', import.meta.url)),
);

describeModules([
  {
    name: 'McpModule',
    module: McpModule,
    token: MCP_MODULE_OPTIONS,
    method: 'createMcpOptions',
    options: { name: 'shop' },
    beside: [ProtoModule.forRoot({ descriptors }), GrpcModule.forRoot({ port: 0 })],
    bare: () => [],
  },
]);
