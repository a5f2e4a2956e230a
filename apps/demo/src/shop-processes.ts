import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bindSystemd } from '@apix/hostx-os/sdnotify';
import { acquireInstanceLock } from '@apix/hostx-os/single';
import type { WindowsService } from '@apix/hostx-os/winsvc';
import type { ProcessesOptions } from '@apix/hostx/processes';
import { dataFolder } from './assets.js';
import { paymentsPort } from './checkout/payments-port.js';
import { setting } from './settings.js';

/** In how many processes the shop runs: `--processes`, which APP_PROCESSES takes precedence over, or else one. */
export async function shopProcesses(service: WindowsService): Promise<ProcessesOptions> {
  // `nest start --no-shell` leaves quotation marks around them.
  const args = process.argv.slice(2).map((arg) => arg.replace(/^"(.*)"$/, '$1'));
  const { values } = parseArgs({ args, options: { processes: { type: 'string' } } });
  const { processes = '1' } = values;
  const port = await paymentsPort();
  return {
    count: processes === 'cores' ? processes : Number(processes),
    run: service.run,
    parent(builder) {
      if (setting('DATABASE_URL') === undefined) {
        throw new Error(
          'demo: several processes need a database that they can share: set DATABASE_URL',
        );
      }
      // One of the processes runs payments, and all call them.
      process.env['PAYMENTS_PORT'] = String(port);
      service.extend(builder);
      bindSystemd(builder);
      const lock = acquireInstanceLock(join(dataFolder(), 'shop.lock'));
      builder.addCloser('lock', () => lock.release());
    },
  };
}
