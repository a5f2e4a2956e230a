import { describeModules } from '../../../../tools/testing/module-options.js';
import { OtelModule } from './otel.module.js';
import { OTEL_OPTIONS } from './tokens.js';

describeModules([
  {
    name: 'OtelModule',
    module: OtelModule,
    token: OTEL_OPTIONS,
    method: 'createOtelOptions',
    options: { path: '/figures' },
    beside: [],
    bare: () => [OtelModule.forRoot()],
  },
]);
