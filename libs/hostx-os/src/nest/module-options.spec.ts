import { expect, it } from '@jest/globals';
import { describeModules } from '../../../../tools/testing/module-options.js';
import { SingleInstance, type SingleInstanceModuleOptions } from './single-instance.module.js';
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

it.each([
  [
    { name: 'shop', sharedFolders: 'allow' },
    'sharedFolders: is not known here; did you mean sharedFolder?',
  ],
  [{ nme: 'shop' }, 'nme: is not known here; did you mean name?'],
  [{}, 'needs either name or path'],
  [{ name: 'shop', path: '/run/shop.lock' }, 'needs either name or path'],
])('SingleInstanceModule does not lock with the options %j', (options, what) => {
  expect(() => new SingleInstance(options as SingleInstanceModuleOptions)).toThrow(what);
});
