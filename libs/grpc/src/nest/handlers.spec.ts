import { create, createFileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { servedServices } from './handlers.js';

/** `a.Orders` and `b.Orders`, and `a.Stock`: each with a unary and a streaming method. */
const services = [
  ...createFileRegistry(
    create(FileDescriptorSetSchema, {
      file: [file('a', ['Orders', 'Stock']), file('b', ['Orders'])],
    }),
  ),
].filter((desc) => desc.kind === 'service');

function file(name: string, services: readonly string[]) {
  const type = `.${name}.Thing`;
  const types = { inputType: type, outputType: type };
  return {
    name: `${name}.proto`,
    package: name,
    syntax: 'proto3',
    messageType: [{ name: 'Thing' }],
    service: services.map((service) => ({
      name: service,
      method: [
        { name: 'Get', ...types },
        { name: 'Put', ...types, clientStreaming: true },
      ],
    })),
  };
}

type Handler = readonly [service: string, rpc: string, streaming?: 'rx_stream' | 'pt_stream'];

function served(...handlers: Handler[]): ReturnType<typeof servedServices> {
  return servedServices(
    services,
    handlers.map(([service, rpc, streaming = 'no_stream']) =>
      JSON.stringify({ service, rpc, streaming }),
    ),
  );
}

describe('a handler', () => {
  it('names its service in full, or without the package where that is clear', () => {
    const { services, mistakes } = served(['a.Orders', 'Get'], ['Stock', 'Get']);
    expect(mistakes).toEqual([]);
    expect(services.map(({ typeName }) => typeName)).toEqual(['a.Orders', 'a.Stock']);
  });

  it.each<[string, Handler[], string]>([
    [
      'of a service that the descriptors do not have',
      [['Order', 'Get']],
      'a handler serves Order/Get, but the descriptors have no Order',
    ],
    [
      'of a method that its service does not have',
      [['Stock', 'Gte']],
      'a handler serves Stock/Gte, but a.Stock has only Get, Put',
    ],
    [
      'whose short name fits several services',
      [['Orders', 'Get']],
      'a handler serves Orders/Get, which may be a.Orders and b.Orders: name it in full',
    ],
    [
      'that takes one message of a stream',
      [['Stock', 'Put']],
      'a handler serves Stock/Put, whose requests are a stream: use @GrpcStreamMethod or @GrpcStreamCall',
    ],
    [
      'that takes a stream of one message',
      [['Stock', 'Get', 'rx_stream']],
      'a handler serves Stock/Get, whose request is a single message: use @GrpcMethod',
    ],
    [
      'beside another one of the same method',
      [
        ['Stock', 'Put', 'rx_stream'],
        ['a.Stock', 'Put', 'pt_stream'],
      ],
      'a.Stock/Put has several handlers: keep one',
    ],
  ])('%s is a mistake', (_, handlers, mistake) => {
    expect(served(...handlers).mistakes).toEqual([mistake]);
  });
});

it.each([
  ['a text', 'sum'],
  ['a number', '7'],
  ['null', 'null'],
  ['an object', '{"cmd":"sum"}'],
  ['an object with members of a gRPC pattern', '{"rpc":"Get","service":"Stock"}'],
])('a handler whose pattern is %s is for another transport', (_, key) => {
  expect(servedServices(services, [key])).toEqual({
    services: [],
    unimplemented: [],
    mistakes: [],
  });
});

it('a method without a handler is named, of services that have one', () => {
  const { unimplemented } = served(['a.Orders', 'Get'], ['Stock', 'Put', 'pt_stream']);
  expect(unimplemented).toEqual(['a.Orders/Put', 'a.Stock/Get']);
});
