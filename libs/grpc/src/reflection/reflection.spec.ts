import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule, optionOf } from '@apix/proto';
import {
  type DescMethod,
  type DescService,
  create,
  createFileRegistry,
  fromBinary,
} from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import {
  SHOP,
  type Shape,
  call,
  clientOf,
  openCall,
} from '../../../grpc-client/src/client.fixture.js';
import {
  ServerReflection,
  type ServerReflectionResponse,
} from '../../../grpc-client/src/gen/grpc/reflection/v1/reflection_pb.js';
import { ServerReflection as AlphaServerReflection } from '../../../grpc-client/src/gen/grpc/reflection/v1alpha/reflection_pb.js';
import { GrpcModule } from '../nest/grpc.module.js';
import { GrpcServer } from '../nest/grpc-server.js';

@Controller()
class CatalogController {
  @GrpcMethod('shop.v1.Catalog', 'Get')
  get(): object {
    return {};
  }
}

type Ask = (...questions: Shape[]) => Promise<ServerReflectionResponse[]>;

/** Serves the shop, and asks each question on one stream of reflection. */
async function reflecting(service: DescService = ServerReflection, reflection = true) {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      GrpcModule.forRoot({
        port: 0,
        host: '127.0.0.1',
        reflection,
        unenforcedPolicies: 'allow',
      }),
    ],
    controllers: [CatalogController],
  })
  class App {}
  const { app, stop } = await startHost(App, { http: false, shutdownTimeout: '5s' });
  const client = clientOf(app!.get(GrpcServer).address);
  const [method] = service.methods as [DescMethod];
  const raw = (questions: readonly Shape[]) =>
    call(
      client,
      method,
      questions.map((question) => {
        const [[name, value]] = Object.entries(question) as [[string, unknown]];
        return { host: 'here', messageRequest: { case: name, value } };
      }),
    );
  const ask: Ask = async (...questions) => {
    const { status, messages } = await raw(questions);
    expect(status).toBe('OK');
    return messages as ServerReflectionResponse[];
  };
  return { ask, raw, stop, open: () => openCall(client, method) };
}

function filesIn(answer: ServerReflectionResponse | undefined): FileDescriptorProto[] {
  const { messageResponse } = answer!;
  const files =
    messageResponse.case === 'fileDescriptorResponse'
      ? messageResponse.value.fileDescriptorProto
      : [];
  return files.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}

const firstFile = (answer: ServerReflectionResponse | undefined) => filesIn(answer)[0]?.name;

describe.each([
  ['grpc.reflection.v1', ServerReflection],
  ['grpc.reflection.v1alpha', AlphaServerReflection],
])('%s', (_, service) => {
  it('lists the services that are served', async () => {
    const { ask } = await reflecting(service);
    const [answer] = await ask({ listServices: '' });
    expect(answer).toMatchObject({
      validHost: 'here',
      originalRequest: { host: 'here', messageRequest: { case: 'listServices' } },
      messageResponse: {
        case: 'listServicesResponse',
        value: {
          service: [
            { name: 'shop.v1.Catalog' },
            { name: 'grpc.health.v1.Health' },
            { name: 'grpc.reflection.v1.ServerReflection' },
            { name: 'grpc.reflection.v1alpha.ServerReflection' },
          ],
        },
      },
    });
  });

  it('sends files with their custom options and the imports that only options need', async () => {
    const { ask } = await reflecting(service);
    const [answer] = await ask({ fileContainingSymbol: 'shop.v1.Orders' });
    const files = filesIn(answer);
    const names = files.map(({ name }) => name);
    expect(names[0]).toBe('shop/v1/orders.proto');
    expect(names).toEqual(
      expect.arrayContaining([
        'apix/authz/authz.proto',
        'google/api/annotations.proto',
        'buf/validate/validate.proto',
        'google/protobuf/descriptor.proto',
      ]),
    );
    // What a client makes of it, with nothing but what was sent.
    const received = createFileRegistry(
      create(FileDescriptorSetSchema, { file: files.toReversed() }),
    );
    const requires = received.getExtension('apix.authz.requires')!;
    const cancel = received
      .getService('shop.v1.Orders')!
      .methods.find(({ name }) => name === 'Cancel')!;
    expect(optionOf(cancel, requires)).toMatchObject({
      roles: { anyOf: ['admin'] },
      permissions: { allOf: ['orders:write'] },
    });
    const http = received.getExtension('google.api.http')!;
    expect(optionOf(cancel, http)).toMatchObject({ pattern: { case: 'post' }, body: '*' });
  });
});

describe('reflection', () => {
  it.each([
    ['a service', 'shop.v1.Orders'],
    ['a method', 'shop.v1.Orders.Cancel'],
    ['a message', 'shop.v1.CancelOrderRequest'],
    ['a field', 'shop.v1.CancelOrderRequest.reason'],
  ])('finds the file of %s', async (_, name) => {
    const { ask } = await reflecting();
    const [answer] = await ask({ fileContainingSymbol: name });
    expect(firstFile(answer)).toBe('shop/v1/orders.proto');
  });

  it.each([
    ['an enum', 'google.protobuf.FieldDescriptorProto.Type', 'google/protobuf/descriptor.proto'],
    [
      'an enum value, a sibling of its enum',
      'google.protobuf.FieldDescriptorProto.TYPE_INT32',
      'google/protobuf/descriptor.proto',
    ],
    ['an extension', 'apix.authz.requires', 'apix/authz/authz.proto'],
    ['a oneof', 'google.api.HttpRule.pattern', 'google/api/http.proto'],
    ['itself', 'grpc.reflection.v1.ServerReflection', 'grpc/reflection/v1/reflection.proto'],
  ])('finds the file of %s', async (_, name, file) => {
    const { ask } = await reflecting();
    const [answer] = await ask({ fileContainingSymbol: name });
    expect(firstFile(answer)).toBe(file);
  });

  it('finds files by their names and by an extension', async () => {
    const { ask } = await reflecting();
    const extension = { containingType: 'google.protobuf.MethodOptions', extensionNumber: 50701 };
    const answers = await ask(
      { fileByFilename: 'shop/v1/money.proto' },
      { fileContainingExtension: extension },
    );
    expect(answers.map(firstFile)).toEqual(['shop/v1/money.proto', 'apix/authz/authz.proto']);
  });

  it('tells the numbers of the extensions of a message, also when there are none', async () => {
    const { ask } = await reflecting();
    const [some, none] = await ask(
      { allExtensionNumbersOfType: 'google.protobuf.MethodOptions' },
      { allExtensionNumbersOfType: 'shop.v1.Order' },
    );
    expect(some?.messageResponse.value).toMatchObject({
      baseTypeName: 'google.protobuf.MethodOptions',
      extensionNumber: [50701, 50702, 50703, 50711, 72295728],
    });
    expect(none?.messageResponse.value).toMatchObject({
      baseTypeName: 'shop.v1.Order',
      extensionNumber: [],
    });
  });

  it('sends an import once to a stream, and a file as often as it is asked for', async () => {
    const { ask } = await reflecting();
    const [first, second] = await ask(
      { fileByFilename: 'shop/v1/orders.proto' },
      { fileByFilename: 'shop/v1/orders.proto' },
    );
    expect(filesIn(first).length).toBeGreaterThan(5);
    expect(filesIn(second).map(({ name }) => name)).toEqual(['shop/v1/orders.proto']);
  });

  it.each<[Shape, string]>([
    [{ fileByFilename: 'no.proto' }, 'there is no file no.proto'],
    [{ fileContainingSymbol: 'shop.v1.Nothing' }, 'there is no symbol shop.v1.Nothing'],
    [
      { fileContainingExtension: { containingType: 'shop.v1.Order', extensionNumber: 7 } },
      'there is no extension 7 of shop.v1.Order',
    ],
    [{ allExtensionNumbersOfType: 'shop.v1.Nothing' }, 'there is no message shop.v1.Nothing'],
  ])('answers %j with NOT_FOUND, and the stream goes on', async (question, errorMessage) => {
    const { ask } = await reflecting();
    const [first, second] = await ask(question, { fileByFilename: 'shop/v1/money.proto' });
    expect(first?.messageResponse).toMatchObject({
      case: 'errorResponse',
      value: { errorCode: 5, errorMessage },
    });
    expect(firstFile(second)).toBe('shop/v1/money.proto');
  });

  it('answers a request of a later protocol with INVALID_ARGUMENT, and the stream goes on', async () => {
    const { ask } = await reflecting();
    const [first, second] = await ask({ undefined: '' }, { listServices: '' });
    expect(first?.messageResponse).toMatchObject({
      case: 'errorResponse',
      value: { errorCode: 3 },
    });
    expect(second?.messageResponse.case).toBe('listServicesResponse');
  });

  it('does not hold up the stop of the server by a caller who stays', async () => {
    const { open, stop } = await reflecting();
    const { stream, answer } = open();
    stream.write({ messageRequest: { case: 'listServices', value: '' } });
    await new Promise((resolve) => stream.once('data', resolve));
    expect(await stop()).toBeUndefined();
    expect((await answer).status).toBe('OK');
  });

  it('is not served unless it is asked for', async () => {
    const { raw } = await reflecting(ServerReflection, false);
    expect((await raw([{ listServices: '' }])).status).toBe('UNIMPLEMENTED');
  });
});
