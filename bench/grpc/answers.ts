import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { type DescMessage, type JsonValue, fromJson } from '@bufbuild/protobuf';
import { list100, small } from '../shapes/shapes.ts';

/** What the methods answer, made once: nothing but the way there and back is measured. */
export interface Answers {
  readonly product: object;
  products(items: number): object;
  amount(items: number): object;
}

/** Documents as the codec of a server wants them. */
export function answersIn(read: (type: string, document: unknown) => object): Answers {
  const lists = new Map<number, object>();
  return {
    product: read(small.type, small.document(1)),
    products: (items) => {
      let list = lists.get(items);
      if (list === undefined) {
        list = read(list100.type, list100.document(items));
        lists.set(items, list);
      }
      return list;
    },
    amount: (items) => read('Amount', { items }),
  };
}

/** Messages of protobuf-es. */
export function messages(): (type: string, document: unknown) => object {
  const { registry } = ProtoRegistry.load(readFileSync(process.env['DESCRIPTORS'] ?? ''));
  return (type, document) => {
    const desc = registry.getMessage(`bench.shapes.${type}`) as DescMessage;
    return fromJson(desc, document as JsonValue);
  };
}
