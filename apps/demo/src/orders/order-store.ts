import { type JsonValue, fromJson, toJson } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
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
}

export interface OrderPage {
  readonly orders: Order[];
  readonly total: bigint;
}

/** Orders, kept as their ProtoJSON beside the columns that they are found by. */
export class OrderStore {
  constructor(private readonly db: Database) {}

  async get(name: string): Promise<Order> {
    const [row] = await this.db.query<OrderRow>('select body from orders where name = $1', [name]);
    if (row === undefined) throw notFound(name);
    return fromJson(OrderSchema, row.body);
  }

  /** Makes or replaces an order. */
  async put(order: Order): Promise<void> {
    const created = order.createTime ? timestampDate(order.createTime) : new Date();
    await this.db.query(
      `insert into orders (name, customer, state, created, body) values ($1, $2, $3, $4, $5)
       on conflict (name) do update set customer = $2, state = $3, body = $5`,
      [
        order.name,
        order.customer,
        order.state,
        created.toISOString(),
        JSON.stringify(toJson(OrderSchema, order)),
      ],
    );
  }

  async remove(name: string): Promise<void> {
    const gone = await this.db.query('delete from orders where name = $1 returning name', [name]);
    if (gone.length === 0) throw notFound(name);
  }

  /** A page of orders, newest first, and how many match on all pages. */
  async list(filter: OrderFilter, limit: number, offset: number): Promise<OrderPage> {
    const where = `($1 = '' or customer = $1)
      and (cardinality($2::int[]) = 0 or state = any($2::int[]))
      and created >= coalesce($3::timestamptz, '-infinity')`;
    const since = filter.createdSince && timestampDate(filter.createdSince).toISOString();
    const values = [filter.customer, filter.states, since ?? null];
    const rows = await this.db.query<OrderRow>(
      `select body from orders where ${where} order by created desc, name limit $4 offset $5`,
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

function notFound(name: string): StatusError {
  return new StatusError(Code.NOT_FOUND, `there is no ${name}`);
}
