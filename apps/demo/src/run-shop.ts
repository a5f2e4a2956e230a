import 'reflect-metadata';
import { type RunHostOptions, runHost } from '@apix/hostx';
import { LogxLoggerService } from '@apix/logx';
import { describeControllers } from './docs/describe-controllers.js';
import { ShopModule } from './shop.module.js';

/** Runs the shop in this process. */
export function runShop(options: RunHostOptions): Promise<void> {
  return runHost(ShopModule, {
    ...options,
    nest: { bufferLogs: true },
    configure: (app) => {
      app.useLogger(app.get(LogxLoggerService));
      describeControllers(app);
    },
  });
}
