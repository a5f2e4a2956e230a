import { describeModules } from '../../../../tools/testing/module-options.js';
import { MetricsModule } from './metrics.module.js';
import { METRICS_OPTIONS, TRACING_OPTIONS } from './tokens.js';
import { TracingModule } from './tracing/tracing.module.js';

describeModules([
  {
    name: 'MetricsModule',
    module: MetricsModule,
    token: METRICS_OPTIONS,
    method: 'createMetricsOptions',
    options: { path: '/figures' },
    beside: [],
    bare: () => [MetricsModule.forRoot()],
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
