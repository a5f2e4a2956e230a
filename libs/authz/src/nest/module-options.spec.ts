import { describeModules } from '../../../../tools/testing/module-options.js';
import { AuthzModule } from './authz.module.js';
import { AUTHZ_OPTIONS } from './tokens.js';

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
