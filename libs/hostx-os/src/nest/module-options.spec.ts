import {
  type ConfigurableModule,
  describeModules,
} from '../../../../tools/testing/module-options.js';
import { SingleInstanceModule } from './single-instance.module.js';
import { SystemdModule } from './systemd.module.js';
import { SINGLE_INSTANCE_OPTIONS, SYSTEMD_OPTIONS } from './tokens.js';

describeModules([
  {
    name: 'SystemdModule',
    module: SystemdModule,
    token: SYSTEMD_OPTIONS,
    method: 'createSystemdOptions',
    options: { extendTimeouts: false },
    beside: [],
    bare: () => [SystemdModule.forRoot()],
  },
  {
    name: 'SingleInstanceModule',
    module: SingleInstanceModule as ConfigurableModule<object>,
    token: SINGLE_INSTANCE_OPTIONS,
    method: 'createSingleInstanceOptions',
    options: { name: `apix-module-options-${process.pid}` },
    beside: [],
    bare: () => [],
  },
]);
