import { create } from '@bufbuild/protobuf';
import { type Product, ProductSchema } from '../../apps/demo/src/gen/shop/v1/catalog_pb.ts';
import { type OrderEvent, OrderEventSchema } from '../../apps/demo/src/gen/shop/v1/orders_pb.ts';

/** One product of 532 bytes of JSON. */
export function productOf(name: string): Product {
  return create(ProductSchema, {
    name,
    title: 'Cast iron pot with lid, enamelled, 5.3 l',
    price: { currency: 'EUR', units: 149n, nanos: 900_000_000 },
    weightKg: 4.75,
    tags: Array.from({ length: 24 }, (_, index) => `tag-of-pot-${index}`),
  });
}

/** An event of an order, for streams that are open and silent. */
export function eventOf(): OrderEvent {
  return create(OrderEventSchema, {});
}
