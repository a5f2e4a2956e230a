/**
 * What compiles and what does not, checked by `npm run typecheck`: an expected error that does
 * not come is an error itself.
 */
import type { TemplateLogger } from '@apix/contracts';
import type { Logger } from './logger.js';

declare const log: Logger;
declare const thrown: unknown;

log.error('Payment of {Id} failed', 'o-17');
log.error({ err: new Error('x'), order: 5 }, 'refund failed');
log.error(thrown);
log.error(thrown, 'Saving {Id} failed', 5);
log.error('Saving failed');
log.warn(thrown, 'late');
log.log('placed');
log.information({ tenant: 'acme' }, 'Order {Id}', 5);
log.debug({ a: 1 });
log.fatal('Order {Id} failed', 5);

// @ts-expect-error nothing is said
log.error();
// @ts-expect-error nothing is said
log.information();

// What a host logs with.
export const hostLogger: TemplateLogger = log;
