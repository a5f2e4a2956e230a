import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { type DescMessage, type JsonValue, fromJson } from '@bufbuild/protobuf';
import { type Shape, list100, maps, small } from '../shapes/shapes.ts';

/** What the methods answer, made once: nothing but the way there and back is measured. */
export interface Answers {
  readonly product: object;
  products(items: number): object;
  maps(items: number): object;
  amount(items: number): object;
}

/** Documents as the codec of a server wants them. */
export function answersIn(read: (type: string, document: unknown) => object): Answers {
  const once = (shape: Shape): ((items: number) => object) => {
    const made = new Map<number, object>();
    return (items) => {
      const known = made.get(items) ?? read(shape.type, shape.document(items));
      made.set(items, known);
      return known;
    };
  };
  return {
    product: read(small.type, small.document(1)),
    products: once(list100),
    maps: once(maps),
    amount: (items) => read('Amount', { items }),
  };
}

/** Messages of protobuf-es. */
export function messages(): (type: string, document: unknown) => object {
  const { registry } = ProtoRegistry.load(readFileSync(process.env['SHAPES'] ?? ''));
  return (type, document) => {
    const desc = registry.getMessage(`bench.shapes.${type}`) as DescMessage;
    return fromJson(desc, document as JsonValue);
  };
}
