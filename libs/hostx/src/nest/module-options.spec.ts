import { z } from 'zod';
import {
  type ConfigurableModule,
  describeModules,
} from '../../../../tools/testing/module-options.js';
import { ConfigurationModule } from './configuration.module.js';
import { HealthModule } from './health/health.module.js';
import { HostxModule } from './hostx.module.js';
import { HostPageModule } from './page/host-page.module.js';
import {
  CONFIGURATION_OPTIONS,
  HEALTH_OPTIONS,
  HOSTX_OPTIONS,
  HOST_PAGE_OPTIONS,
} from './tokens.js';

/** The page needs to be told who may see it, which is not among the options that can be async. */
const page: ConfigurableModule<{ title?: string }> = {
  forRoot: (options) => HostPageModule.forRoot({ ...options, public: true }),
  forRootAsync: (options) => HostPageModule.forRootAsync({ ...options, public: true }),
};

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
  {
    name: 'HostPageModule',
    module: page,
    token: HOST_PAGE_OPTIONS,
    method: 'createHostPageOptions',
    options: { title: 'Shop' },
    beside: [HostxModule.forRoot()],
    bare: () => [],
  },
]);
