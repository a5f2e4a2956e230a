import { describeModules } from '../../../../tools/testing/module-options.js';
import { AuthzModule, AUTHZ_OPTIONS } from './authz.module.js';

describeModules([
  {
    name: 'AuthzModule',
    module: AuthzModule,
    token: AUTHZ_OPTIONS,
    method: 'createAuthzOptions',
    options: { subject: () => null },
    beside: [],
    bare: () => [],
  },
]);
