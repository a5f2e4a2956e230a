import { z } from 'zod';
import { describeModules } from '../../../../tools/testing/module-options.js';
import { ConfigurationModule } from './configuration.module.js';
import { HealthModule } from './health/health.module.js';
import { HostxModule } from './hostx.module.js';
import { CONFIGURATION_OPTIONS, HEALTH_OPTIONS, HOSTX_OPTIONS } from './tokens.js';

describeModules([
  {
    name: 'HostxModule',
    module: HostxModule,
    token: HOSTX_OPTIONS,
    method: 'createHostxOptions',
    options: { shutdownTimeout: '7s' },
    beside: [],
    bare: () => [HostxModule.forRoot()],
  },
  {
    name: 'ConfigurationModule',
    module: ConfigurationModule,
    token: CONFIGURATION_OPTIONS,
    method: 'createConfigurationOptions',
    options: { schema: z.object({}), env: {} },
    beside: [],
    bare: () => [],
  },
  {
    name: 'HealthModule',
    module: HealthModule,
    token: HEALTH_OPTIONS,
    method: 'createHealthOptions',
    options: { readyPath: '/ready' },
    beside: [],
    bare: () => [HealthModule.forRoot()],
  },
]);
