import 'reflect-metadata';
import { runHost } from '@apix/hostx';
import { LogxLoggerService } from '@apix/logx';
import { ShopModule } from './shop.module.js';

await runHost(ShopModule, {
  nest: { bufferLogs: true },
  configure: (app) => app.useLogger(app.get(LogxLoggerService)),
});
