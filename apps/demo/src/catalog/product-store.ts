import { type JsonValue, fromJson, toJson } from '@bufbuild/protobuf';
import { Code, StatusError } from '@apix/contracts';
import { type Product, ProductSchema } from '../gen/shop/v1/catalog_pb.js';
import type { Database } from '../store/database.js';

type ProductRow = { readonly body: JsonValue };

/** Products, kept as their ProtoJSON. */
export class ProductStore {
  constructor(private readonly db: Database) {}

  async get(name: string): Promise<Product> {
    const [row] = await this.db.query<ProductRow>('select body from products where name = $1', [
      name,
    ]);
    if (row === undefined) throw notFound(name);
    return fromJson(ProductSchema, row.body);
  }

  /** Products that have all of `tags`, by name. */
  async list(tags: readonly string[]): Promise<Product[]> {
    const rows = await this.db.query<ProductRow>(
      `select body from products where coalesce(body->'tags', '[]') @> $1::jsonb order by name`,
      [JSON.stringify(tags)],
    );
    return rows.map(({ body }) => fromJson(ProductSchema, body));
  }

  /** Adds a product. @throws StatusError ALREADY_EXISTS when its name is taken. */
  async add(product: Product): Promise<void> {
    const added = await this.db.query(
      'insert into products (name, body) values ($1, $2) on conflict do nothing returning name',
      [product.name, JSON.stringify(toJson(ProductSchema, product))],
    );
    if (added.length === 0) {
      throw new StatusError(Code.ALREADY_EXISTS, `${product.name} exists`);
    }
  }

  /** Products of which there are fewer pieces than that, by name. */
  async fewerThan(pieces: number): Promise<{ name: string; pieces: number }[]> {
    return this.db.query('select name, pieces::int from products where pieces < $1 order by name', [
      pieces,
    ]);
  }

  async pieces(name: string): Promise<bigint> {
    const [row] = await this.db.query<{ pieces: string }>(
      'select pieces::text from products where name = $1',
      [name],
    );
    if (row === undefined) throw notFound(name);
    return BigInt(row.pieces);
  }
}

function notFound(name: string): StatusError {
  return new StatusError(Code.NOT_FOUND, `there is no ${name}`);
}
