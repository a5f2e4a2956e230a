import 'reflect-metadata';
import { runHost } from '@apix/hostx';
import { LogxLoggerService } from '@apix/logx';
import { PaymentsModule } from './payments.module.js';

/** The second service of the demo. The shop starts it; see `checkout/payments-process.ts`. */
await runHost(PaymentsModule, {
  nest: { bufferLogs: true },
  configure: (app) => app.useLogger(app.get(LogxLoggerService)),
});
