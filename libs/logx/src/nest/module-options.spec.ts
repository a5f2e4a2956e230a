import { describeModules } from '../../../../tools/testing/module-options.js';
import { LogxModule } from './logx.module.js';
import { LOGX_OPTIONS } from './tokens.js';

describeModules([
  {
    name: 'LogxModule',
    module: LogxModule,
    token: LOGX_OPTIONS,
    method: 'createLogxOptions',
    options: { level: 'error' },
    beside: [],
    bare: () => [LogxModule.forRoot()],
  },
]);
