import { describeModules } from '../../../../tools/testing/module-options.js';
import { OtelModule } from './otel.module.js';
import { OTEL_OPTIONS, TRACING_OPTIONS } from './tokens.js';
import { TracingModule } from './tracing/tracing.module.js';

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
  {
    name: 'TracingModule',
    module: TracingModule,
    token: TRACING_OPTIONS,
    method: 'createTracingOptions',
    options: { http: false },
    beside: [],
    bare: () => [TracingModule.forRoot()],
  },
]);
