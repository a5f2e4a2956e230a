// The kinds of calls that apps make; beside each what an app with pino writes to say the same: its
// message and its fields.
import { five, FIVE, fiveText, two, TWO, twoText } from '../logger/events.mjs';

const PROSE =
  'The order was taken over by the warehouse and left the house on the same day; its parcel was seen at two depots since. ';
const LONG_TEXT = PROSE.repeat(17).slice(0, 2_000);
const ORDER = { sku: 'A-1042', count: 3, price: 17.25, gift: false };
const BASKET = { id: 4711, customer: { name: 'Ada Lovelace', city: 'London' }, total: 51.75 };
const LINES = Array.from({ length: 5 }, (_, i) => ({ ...ORDER, line: i }));
const STOCK = new Map([
  ['A-1042', 12],
  ['B-7', 0],
  ['C-99', 1_234],
]);
const DUE = new Date(Date.UTC(2026, 11, 24, 18));
const CONTEXT = 'OrdersService';

/** One error for all calls: to make it, and its stack, would cost both the same, and much. */
const ERROR = thrownBy(() => {
  throw new TypeError('the basket is empty');
});
const CAUSED = thrownBy(() => {
  throw new Error('saving the order failed', {
    cause: new Error('the transaction was rolled back', { cause: new Error('the disk is full') }),
  });
});

function thrownBy(work) {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const { '@mt': _two, ...TWO_FIELDS } = two(0);
const { '@mt': _five, ...FIVE_FIELDS } = five(0);

/**
 * `share` of a hundred calls of the mix; `ours` and `pinos` make one event each. There are no counts of
 * what apps log, so the shares are read off how Nest apps are written: more than half of the calls
 * are texts, as Nest's own `Logger`, its framework and most libraries take nothing else, and most of
 * them are put together and new each time (38 by the app or Nest, 14 constant). 29 are templates with
 * what scalars they name. Objects, lists, maps and dates, which log more at once, are 11, errors 5,
 * and what is rare but long, 2 kB and JSON in a text, 3.
 */
export const KINDS = [
  {
    kind: 'a constant text',
    share: 14,
    ours: (log) => () => log.info('The queue of orders is empty'),
    pinos: (log) => () => log.info('The queue of orders is empty'),
  },
  {
    kind: 'a text never seen before',
    share: 16,
    ours: (log) => (i) => log.info(`Order ${i} of Ada Lovelace placed`),
    pinos: (log) => (i) => log.info(`Order ${i} of Ada Lovelace placed`),
  },
  {
    kind: 'the same by Nest',
    share: 22,
    ours: (_log, nest) => (i) => nest.log(`Order ${i} of Ada Lovelace placed`, CONTEXT),
    pinos: (log) => (i) => log.info({ logger: CONTEXT }, `Order ${i} of Ada Lovelace placed`),
  },
  {
    kind: 'a text of 2 kB',
    share: 1,
    ours: (log) => (i) => log.info(`Letter ${i}: ${LONG_TEXT}`),
    pinos: (log) => (i) => log.info(`Letter ${i}: ${LONG_TEXT}`),
  },
  {
    kind: 'a text of JSON',
    share: 2,
    ours: (log) => (i) => log.info(`Got {"id":${i},"sku":"A-1042","lines":[{"count":3}]}`),
    pinos: (log) => (i) => log.info(`Got {"id":${i},"sku":"A-1042","lines":[{"count":3}]}`),
  },
  {
    kind: 'one scalar',
    share: 14,
    ours: (log) => (i) => log.info('Order {Id} placed', i),
    pinos: (log) => (i) => log.info({ Id: i }, `Order ${i} placed`),
  },
  {
    kind: 'two scalars',
    share: 10,
    ours: (log) => (i) => log.info(TWO, i, TWO_FIELDS.Who),
    pinos: (log) => (i) => log.info({ ...TWO_FIELDS, Id: i }, twoText(i)),
  },
  {
    kind: 'five scalars',
    share: 5,
    ours: (log) => (i) => log.info(FIVE, i, 'Ada Lovelace', 3, 'A-1042', 17.25),
    pinos: (log) => (i) => log.info({ ...FIVE_FIELDS, Id: i }, fiveText(i)),
  },
  {
    kind: 'a small object',
    share: 5,
    ours: (log) => () => log.info({ Order: ORDER }, 'Order placed'),
    pinos: (log) => () => log.info({ Order: ORDER }, 'Order placed'),
  },
  {
    kind: 'a nested object in the text',
    share: 2,
    ours: (log) => () => log.info('Order {Basket} placed', BASKET),
    pinos: (log) => () => log.info({ Basket: BASKET }, `Order ${JSON.stringify(BASKET)} placed`),
  },
  {
    kind: 'an array of objects',
    share: 1,
    ours: (log) => () => log.info({ Lines: LINES }, 'Order placed'),
    pinos: (log) => () => log.info({ Lines: LINES }, 'Order placed'),
  },
  {
    kind: 'a Date',
    share: 2,
    ours: (log) => () => log.info('Order due {Due}', DUE),
    pinos: (log) => () => log.info({ Due: DUE }, `Order due ${DUE.toISOString()}`),
  },
  {
    kind: 'a Map',
    share: 1,
    ours: (log) => () => log.info({ Stock: STOCK }, 'Stock counted'),
    pinos: (log) => () => log.info({ Stock: Object.fromEntries(STOCK) }, 'Stock counted'),
  },
  {
    kind: 'an error with its stack',
    share: 4,
    ours: (log) => (i) => log.error(ERROR, 'Order {Id} refused', i),
    pinos: (log) => (i) => log.error({ err: ERROR, Id: i }, `Order ${i} refused`),
  },
  {
    kind: 'an error with causes',
    share: 1,
    ours: (log) => (i) => log.error(CAUSED, 'Order {Id} lost', i),
    pinos: (log) => (i) => log.error({ err: CAUSED, Id: i }, `Order ${i} lost`),
  },
];
