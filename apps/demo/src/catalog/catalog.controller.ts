import { create } from '@bufbuild/protobuf';
import { Code, StatusError } from '@apix/contracts';
import { GrpcService } from '@apix/grpc';
import {
  Catalog,
  type CreateProductRequest,
  type GetProductRequest,
  type GetStockRequest,
  type ListProductsRequest,
  type ListProductsResponse,
  ListProductsResponseSchema,
  type Product,
  type Stock,
  StockSchema,
} from '../gen/shop/v1/catalog_pb.js';
import { exceeds } from '../orders/money.js';
import { ProductStore } from './product-store.js';

/** shop.v1.Catalog. */
@GrpcService(Catalog)
export class CatalogController {
  constructor(private readonly products: ProductStore) {}

  async list({ tags, maxPrice }: ListProductsRequest): Promise<ListProductsResponse> {
    const products = await this.products.list(tags);
    const affordable = products.filter(
      ({ price }) =>
        maxPrice === undefined ||
        (price?.currency === maxPrice.currency && !exceeds(price, maxPrice)),
    );
    return create(ListProductsResponseSchema, { products: affordable });
  }

  get({ name }: GetProductRequest): Promise<Product> {
    return this.products.get(name);
  }

  async create({ product }: CreateProductRequest): Promise<Product> {
    if (product === undefined) throw new StatusError(Code.INVALID_ARGUMENT, 'product is missing');
    await this.products.add(product);
    return product;
  }

  async getStock({ name }: GetStockRequest): Promise<Stock> {
    return create(StockSchema, { product: name, pieces: await this.products.pieces(name) });
  }
}
