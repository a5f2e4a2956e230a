// Payments that do not come up while there is a file: PAYMENTS_HOLD.
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

while (existsSync(process.env['PAYMENTS_HOLD'])) await sleep(20);
await import('../../../dist/apps/demo/src/payments/main.js');
