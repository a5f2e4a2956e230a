import 'reflect-metadata';
import { windowsService } from '@apix/hostx-os/winsvc';

// First of all: Windows waits for a service for half a minute, and the rest takes time to load.
const service = windowsService('shop');
await service.announced;

const { runHost } = await import('@apix/hostx');
const { LogxLoggerService } = await import('@apix/logx');
const { describeControllers } = await import('./docs/describe-controllers.js');
const { ShopModule } = await import('./shop.module.js');
await runHost(ShopModule, {
  ...service,
  nest: { bufferLogs: true },
  configure: (app) => {
    app.useLogger(app.get(LogxLoggerService));
    describeControllers(app);
  },
});
