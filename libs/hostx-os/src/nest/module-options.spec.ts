import { describeModules } from '../../../../tools/testing/module-options.js';
import { SystemdModule } from './systemd.module.js';
import { SYSTEMD_OPTIONS } from './tokens.js';

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
]);
