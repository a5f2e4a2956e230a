import { HostxModule } from '@apix/hostx';
import {
  type ConfigurableModule,
  describeModules,
} from '../../../../tools/testing/module-options.js';
import { HOST_PAGE_OPTIONS } from './host-page.js';
import { HostPageModule } from './host-page.module.js';

/** The page needs to be told who may see it, which is not among the options that can be async. */
const page: ConfigurableModule<{ title?: string }> = {
  forRoot: (options) => HostPageModule.forRoot({ ...options, public: true }),
  forRootAsync: (options) => HostPageModule.forRootAsync({ ...options, public: true }),
};

describeModules([
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
