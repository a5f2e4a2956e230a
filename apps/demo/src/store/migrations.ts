import type { Migration } from './migrate.js';

/** The tables of the shop, and what it begins with. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: 1,
    script: `
      create table products (
        name text primary key,
        body jsonb not null,
        pieces bigint not null default 0
      );
      create table orders (
        name text primary key,
        customer text not null,
        state integer not null,
        created timestamptz not null,
        body jsonb not null
      );
      create index orders_newest on orders (created desc, name);
    `,
  },
  {
    id: 2,
    script: `
      insert into products (name, body, pieces) values
        ('products/tea', '{"name":"products/tea","title":"Green tea, 100 g","price":{"currency":"EUR","units":"6","nanos":900000000},"weightKg":0.1,"tags":["drink"]}', 120),
        ('products/pot', '{"name":"products/pot","title":"Cast iron pot","price":{"currency":"EUR","units":"49"},"weightKg":1.4,"tags":["kitchen"]}', 8);
      insert into orders (name, customer, state, created, body) values
        ('orders/1001', 'ada', 1, '2026-01-05T09:30:00Z', '{"name":"orders/1001","customer":"ada","lines":[{"product":"products/tea","quantity":2,"unitPrice":{"currency":"EUR","units":"6","nanos":900000000}}],"state":"ORDER_STATE_PLACED","total":{"currency":"EUR","units":"13","nanos":800000000},"address":"1 Mill Lane, Bath","createTime":"2026-01-05T09:30:00Z","updateTime":"2026-01-05T09:30:00Z"}'),
        ('orders/1002', 'grace', 2, '2026-01-06T14:00:00Z', '{"name":"orders/1002","customer":"grace","lines":[{"product":"products/pot","quantity":1,"unitPrice":{"currency":"EUR","units":"49"}}],"state":"ORDER_STATE_SHIPPED","total":{"currency":"EUR","units":"49"},"pickupPoint":"BA0017","createTime":"2026-01-06T14:00:00Z","updateTime":"2026-01-07T08:00:00Z"}');
    `,
  },
  {
    id: 3,
    script: `
      update orders set body = body || '{"phone":"+44 1225 460000"}' where name = 'orders/1001';
    `,
  },
];
