import 'reflect-metadata';
import { runHost } from '@apix/hostx';
import { windowsService } from '@apix/hostx-os/winsvc';
import { LogxLoggerService } from '@apix/logx';
import { ShopModule } from './shop.module.js';

await runHost(ShopModule, {
  ...windowsService('shop'),
  nest: { bufferLogs: true },
  configure: (app) => app.useLogger(app.get(LogxLoggerService)),
});
