import { describeModules } from '../../../../tools/testing/module-options.js';
import { CronModule } from './cron.module.js';
import { CRON_OPTIONS } from './tokens.js';

describeModules([
  {
    name: 'CronModule',
    module: CronModule,
    token: CRON_OPTIONS,
    method: 'createCronOptions',
    options: { enabled: false },
    beside: [],
    bare: () => [CronModule.forRoot()],
  },
]);
