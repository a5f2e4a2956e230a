import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { type DescMessage, fromJson } from '@bufbuild/protobuf';
import { createValidator } from '@bufbuild/protovalidate';
import { describe, expect, it } from '@jest/globals';
import { transcodingRegistry } from '../../fixtures/echo-server.fixture.js';
import { compileServices } from '../../rules/compile-services.js';
import { buildOpenApi } from '../build-document.js';
import { type SampleValue, Samples } from './samples.js';

const shop = ProtoRegistry.load(
  new Uint8Array(readFileSync(new URL('../../../../../apps/demo/gen/shop.binpb', import.meta.url))),
);
const kinds = transcodingRegistry();
const names = { protoNames: false, enumsAsNumbers: false };
const validator = createValidator();

/** The messages of a sample's own kind that a validator has something to say about. */
function violations(registry: ProtoRegistry, desc: DescMessage, sample: SampleValue | undefined) {
  const message = fromJson(desc, sample as never, { registry: registry.registry });
  return validator.validate(desc, message).violations?.map(String);
}

function message(registry: ProtoRegistry, name: string): DescMessage {
  return registry.registry.getMessage(name)!;
}

describe('samples of requests', () => {
  const inputs = shop.services.flatMap(({ methods }) => methods.map(({ input }) => input));

  it.each(inputs.map((desc) => [desc.name, desc] as const))(
    'let protovalidate be content with %s',
    (_, desc) => {
      expect(violations(shop, desc, new Samples(shop, names, 'request').ofMessage(desc))).toBe(
        undefined,
      );
    },
  );

  it("have one member of a oneof, and nothing that is the server's", () => {
    const order = new Samples(shop, names, 'request').ofMessage(message(shop, 'shop.v1.Order'));
    expect(order).toEqual({
      lines: [{ product: 'products/tea', quantity: 2 }],
      address: '1 Mill Lane, Bath',
      note: 'Ring twice.',
      labels: { key: 'value' },
    });
  });

  it('leave out what is given elsewhere, and name in a mask what they have', () => {
    const request = message(shop, 'shop.v1.UpdateOrderRequest');
    const given = new Set(['order.name', 'order.note']);
    expect(new Samples(shop, names, 'request').ofMessage(request, given)).toEqual({
      order: {
        lines: [{ product: 'products/tea', quantity: 2 }],
        address: '1 Mill Lane, Bath',
        labels: { key: 'value' },
      },
      updateMask: 'lines,address,labels',
    });
  });

  it('have every type as its JSON', () => {
    const everything = message(kinds, 'transcoding.v1.Everything');
    const sample = new Samples(kinds, names, 'request').ofMessage(everything);
    expect(violations(kinds, everything, sample)).toBe(undefined);
    expect(sample).toMatchObject({
      i64: '1',
      u32: 1,
      data: 'aGVsbG8=',
      color: 'COLOR_RED',
      timestamp: '2026-01-01T00:00:00Z',
      duration: '60s',
      strValue: 'text',
      struct: { key: 'value' },
      labels: { key: 'value' },
      choiceStr: 'choice str',
      mask: 'str,i64,strs',
    });
    expect(sample).not.toHaveProperty('choiceI32');
  });

  it('follow the names and enums of the document', () => {
    const everything = message(kinds, 'transcoding.v1.Everything');
    const options = { protoNames: true, enumsAsNumbers: true };
    expect(new Samples(kinds, options, 'request').ofMessage(everything)).toMatchObject({
      choice_str: 'choice str',
      color: 1,
    });
  });
});

describe('samples of responses', () => {
  it('have what only the server writes', () => {
    const order = new Samples(shop, names, 'response').ofMessage(message(shop, 'shop.v1.Order'));
    expect(order).toMatchObject({
      name: 'orders/1001',
      state: 'ORDER_STATE_PLACED',
      total: { currency: 'EUR', units: '12', nanos: 500_000_000 },
    });
    expect(order).not.toHaveProperty('pickupPoint');
  });
});

describe('a document', () => {
  const { bindings } = compileServices(shop.services);
  const { paths, info } = buildOpenApi({ protos: shop, bindings, prefix: '', transcoding: {} });

  it('gives every parameter that must be given', () => {
    const required = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ parameters = [] }) => parameters)
      .filter((parameter) => parameter.required);
    expect(required.length).toBeGreaterThan(8);
    expect(required.filter(({ example }) => example === undefined)).toEqual([]);
    expect(paths['/v1/orders/{order}']?.['get']?.parameters?.[0]).toMatchObject({
      name: 'order',
      example: '1001',
    });
  });

  it('leaves parameters open that need not be given', () => {
    const list = paths['/v1/orders']?.['get']?.parameters;
    expect(list?.filter(({ example }) => example !== undefined)).toEqual([]);
  });

  it('is called as the package, and described as its file is', () => {
    expect(info.title).toBe('shop.v1');
    expect(info.description).toMatch(/^A small shop/);
  });
});
