import { createHash, randomUUID } from 'node:crypto';

/** The name of a new order: with a key it is always the same for a customer, and says nothing of either. */
export function orderName(customer: string, idempotencyKey: string): string {
  if (idempotencyKey === '') return `orders/${randomUUID()}`;
  const hash = createHash('sha256').update(JSON.stringify([customer, idempotencyKey]));
  return `orders/${hash.digest('hex').slice(0, 32)}`;
}
