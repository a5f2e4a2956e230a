import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import type { DescMessage, DescMethod, DescService, JsonValue, Message } from '@bufbuild/protobuf';
import { fromJson } from '@bufbuild/protobuf';
import { list100, small } from '../shapes/shapes.ts';
import { LISTED } from './calls.ts';

const { registry, services } = ProtoRegistry.load(readFileSync(process.env['SHAPES'] ?? ''));

/** The service of shapes.proto, by its descriptors. */
export const SHOP = services.find(({ name }) => name === 'Shop') as DescService;

/** A method of it, by the name that protobuf-es gives to it. */
export const methodOf = (localName: string): DescMethod => SHOP.method[localName];

export const pathOf = (name: string): string => `/${SHOP.typeName}/${name}`;

/** A message, read from JSON. */
export function read(type: string, document: unknown): Message {
  const desc = registry.getMessage(`bench.shapes.${type}`) as DescMessage;
  return fromJson(desc, document as JsonValue);
}

/** The list of about 10 kB. */
export const listed = (): Message => read('Products', list100.document(LISTED));

/** What the methods answer. */
export const answers = {
  product: read(small.type, { ...(small.document(1) as object), name: 'products/pot' }),
  products: listed(),
  amount: read('Amount', { items: LISTED }),
};

/** The members of the answers that are read. */
export interface ProductAnswer {
  readonly name: string;
}
export interface ProductsAnswer {
  readonly products: readonly unknown[];
}
export interface AmountAnswer {
  readonly items: number;
}
