import type { Migration } from '../store/migrate.js';

/** What the orders that the shop begins with were paid with is in the second step. */
export const PAYMENT_MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    script: `
      create table payments (
        name text primary key,
        state integer not null,
        body jsonb not null
      );
    `,
  },
  {
    id: 2,
    script: `
      insert into payments (name, state, body) values
        ('payments/1001', 1, '{"name":"payments/1001","customer":"ada","amount":{"currency":"EUR","units":"13","nanos":800000000},"state":"PAYMENT_STATE_RESERVED"}'),
        ('payments/1002', 1, '{"name":"payments/1002","customer":"grace","amount":{"currency":"EUR","units":"49"},"state":"PAYMENT_STATE_RESERVED"}');
    `,
  },
];
