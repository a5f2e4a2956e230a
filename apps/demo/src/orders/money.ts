import { create } from '@bufbuild/protobuf';
import { Code, StatusError } from '@apix/contracts';
import { type Money, MoneySchema } from '../gen/shop/v1/money_pb.js';

const NANOS = 1_000_000_000n;
const CENT = NANOS / 100n;

/** `amount` times `factor`, exact. */
export function times(amount: Money, factor: number): Money {
  return fromNanos(amount.currency, toNanos(amount) * BigInt(factor));
}

/**
 * The sum of amounts of one currency, exact.
 *
 * @throws StatusError INVALID_ARGUMENT for none, or for several currencies.
 */
export function sum(amounts: readonly Money[]): Money {
  const currencies = new Set(amounts.map(({ currency }) => currency));
  const [currency] = currencies;
  if (currency === undefined || currencies.size > 1) {
    throw new StatusError(
      Code.INVALID_ARGUMENT,
      `an order is paid in one currency, not in ${[...currencies].join(' and ') || 'none'}`,
    );
  }
  return fromNanos(
    currency,
    amounts.reduce((total, amount) => total + toNanos(amount), 0n),
  );
}

/** Whether `a` is more than `b`; the currencies must be equal. */
export function exceeds(a: Money, b: Money): boolean {
  return toNanos(a) > toNanos(b);
}

/** Whether they are the same amount; an amount that is missing is like no other. */
export function isSame(a: Money | undefined, b: Money | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.currency === b.currency && toNanos(a) === toNanos(b);
}

/** Such as `13.80`, to the cent. */
export function decimal(money: Money): string {
  const total = toNanos(money);
  const size = ((total < 0n ? -total : total) + CENT / 2n) / CENT;
  const cents = String(size % 100n).padStart(2, '0');
  return `${total < 0n ? '-' : ''}${size / 100n}.${cents}`;
}

function toNanos({ units, nanos }: Money): bigint {
  return units * NANOS + BigInt(nanos);
}

function fromNanos(currency: string, total: bigint): Money {
  return create(MoneySchema, { currency, units: total / NANOS, nanos: Number(total % NANOS) });
}
