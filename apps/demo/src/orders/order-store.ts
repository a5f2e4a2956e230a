import { type JsonValue, fromJson, toJson } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import type { ListFilter } from '@apix/authz';
import { type SqlFilter, toSql } from '@apix/authz/filters';
import { Code, StatusError } from '@apix/contracts';
import { type Order, OrderSchema, type OrderState } from '../gen/shop/v1/order_pb.js';
import type { Database } from '../store/database.js';

type OrderRow = { readonly body: JsonValue };

/** Which orders to list. */
export interface OrderFilter {
  /** Empty: of every customer. */
  readonly customer: string;
  /** Empty: in every state. */
  readonly states: readonly OrderState[];
  readonly createdSince: Timestamp | undefined;
  /** Which ones the caller may see. Undefined: all. */
  readonly visible?: ListFilter | undefined;
}

export interface OrderPage {
  readonly orders: Order[];
  readonly total: bigint;
}

const INSERT =
  'insert into orders (name, customer, state, created, body) values ($1, $2, $3, $4, $5)';

/** The columns of the fields by which orders are visible. */
const COLUMNS = { customer: 'customer' };

const EVERYTHING: SqlFilter = { text: 'true', values: [] };

/** Orders, kept as their ProtoJSON next to the columns that they are found by. */
export class OrderStore {
  constructor(private readonly db: Database) {}

  async get(name: string): Promise<Order> {
    const order = await this.find(name);
    if (order === undefined) throw notFound(name);
    return order;
  }

  async find(name: string): Promise<Order | undefined> {
    const rows = await this.db.query<OrderRow>('select body from orders where name = $1', [name]);
    return rows.map(({ body }) => fromJson(OrderSchema, body))[0];
  }

  /** Makes an order. @returns false, and does nothing, where its name is taken. */
  async add(order: Order): Promise<boolean> {
    const added = await this.db.query(
      `${INSERT} on conflict do nothing returning name`,
      valuesOf(order),
    );
    return added.length > 0;
  }

  /** Makes or replaces an order. */
  async put(order: Order): Promise<void> {
    await this.db.query(
      `${INSERT} on conflict (name) do update set customer = $2, state = $3, body = $5`,
      valuesOf(order),
    );
  }

  async remove(name: string): Promise<void> {
    const gone = await this.db.query('delete from orders where name = $1 returning name', [name]);
    if (gone.length === 0) throw notFound(name);
  }

  /** A page of orders, newest first, and how many match on all pages. */
  async list(filter: OrderFilter, limit: number, offset: number): Promise<OrderPage> {
    const visible = filter.visible
      ? toSql(filter.visible, { columns: COLUMNS, firstParameter: 4 })
      : EVERYTHING;
    const where = `($1 = '' or customer = $1)
      and (cardinality($2::int[]) = 0 or state = any($2::int[]))
      and created >= coalesce($3::timestamptz, '-infinity')
      and ${visible.text}`;
    const since = filter.createdSince && timestampDate(filter.createdSince).toISOString();
    const values = [filter.customer, filter.states, since ?? null, ...visible.values];
    const place = values.length + 1;
    const rows = await this.db.query<OrderRow>(
      `select body from orders where ${where} order by created desc, name limit $${place} offset $${place + 1}`,
      [...values, limit, offset],
    );
    const [count] = await this.db.query<{ total: string }>(
      `select count(*)::text as total from orders where ${where}`,
      values,
    );
    return {
      orders: rows.map(({ body }) => fromJson(OrderSchema, body)),
      total: BigInt(count?.total ?? 0),
    };
  }
}

function valuesOf(order: Order): readonly unknown[] {
  const created = order.createTime ? timestampDate(order.createTime) : new Date();
  const body = JSON.stringify(toJson(OrderSchema, order));
  return [order.name, order.customer, order.state, created.toISOString(), body];
}

function notFound(name: string): StatusError {
  return new StatusError(Code.NOT_FOUND, `there is no ${name}`);
}
