// What every logger is told, and where lines go that nobody keeps.
import pino from 'pino';

const NOW = Date.UTC(2026, 10, 21, 3);
const TIME = '2026-11-21T03:00:00Z';

/** Time costs nobody anything, so that lines are the same each time. */
export const clock = { now: () => NOW, after: () => () => {} };

/** pino with the names and the order of ours: the same bytes. */
export const PINO_OPTIONS = {
  base: null,
  messageKey: 'message',
  timestamp: () => `,"time":"${TIME}"`,
  formatters: { level: (level) => ({ level }) },
};

export const bindings = { service: 'shop', RequestId: '0af7651916cd43dd8448eb211c80319c' };

export const TWO = 'Order {Id} of {Who} placed';
export const FIVE = 'Order {Id} of {Who}: {Count} items of {Sku} in {Ms} ms';

/** What a caller without templates writes to get the fields and the text of `TWO`. */
export const two = (i) => ({ '@mt': TWO, Id: i, Who: 'Ada Lovelace' });
export const twoText = (i) => `Order ${i} of Ada Lovelace placed`;

export const five = (i) => ({
  '@mt': FIVE,
  Id: i,
  Who: 'Ada Lovelace',
  Count: 3,
  Sku: 'A-1042',
  Ms: 17.25,
});
export const fiveText = (i) => `Order ${i} of Ada Lovelace: 3 items of A-1042 in 17.25 ms`;

/** The calls that make one event of ours and one of pino's. */
export const logTwo = (log) => (i) => log.info(TWO, i, 'Ada Lovelace');
export const logFive = (log) => (i) => log.info(FIVE, i, 'Ada Lovelace', 3, 'A-1042', 17.25);
export const pinoTwo = (log) => (i) => log.info(two(i), twoText(i));
export const pinoFive = (log) => (i) => log.info(five(i), fiveText(i));

export const pinoTo = (stream, options = {}) => pino({ ...PINO_OPTIONS, ...options }, stream);

/** Takes the bytes of each line, as whoever writes it must, and keeps those of the last. */
export class Discard {
  bytes = 0;
  #end = 0;
  #buffer = Buffer.allocUnsafe(64 * 1024);

  write(line) {
    this.#end = this.#buffer.write(line, 0);
    this.bytes += this.#end;
    return true;
  }

  writeBytes(bytes, length) {
    this.#end = length;
    bytes.copy(this.#buffer, 0, 0, length);
    this.bytes += length;
  }

  get last() {
    return this.#buffer.toString('utf8', 0, this.#end);
  }
}
