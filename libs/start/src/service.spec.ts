import { create, createFileRegistry } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { NEW_APP, WORKSPACE, applied } from './apps.fixture.js';
import { nestAdd } from './nest-add.js';
import { localName } from './proto/generated-names.js';
import { service } from './service.js';

const PROTO = `syntax = "proto3";
package shop.v1;
// service Old { rpc Gone(A) returns (B); }
service OrderBook {
  option (apix.authz.default_requires) = {roles: {any_of: ["rpc X(A) returns (B)"]}};
  rpc Get(GetRequest) returns (Order) {
    option (google.api.http) = {get: "/v1/orders/{id}"};
  }
  rpc Import(stream Order) returns (Summary);
  rpc Watch (WatchRequest) returns (stream Order) {}
}
message GetRequest { string id = 1; }
service Refunds { rpc Pay(PayRequest) returns (google.protobuf.Empty); }
`;

const app = { ...applied(nestAdd({}), NEW_APP).files, 'proto/shop/v1/orders.proto': PROTO };
const generate = service({ name: 'proto/shop/v1/orders.proto' });

describe('a service of a .proto file', () => {
  const { files } = applied(generate, app);

  it('gets a controller with a handler for each of its methods', () => {
    expect(files['src/shop/order-book.controller.ts']).toBe(
      `import { Code, StatusError } from '@apix/contracts';
import { GrpcService } from '@apix/grpc';
import type { MessageShape } from '@bufbuild/protobuf';
import type { Observable } from 'rxjs';
import { OrderBook } from '../gen/shop/v1/orders_pb.js';

@GrpcService(OrderBook)
export class OrderBookController {
  get(_request: MessageShape<typeof OrderBook.method.get.input>): never {
    throw new StatusError(Code.UNIMPLEMENTED, 'Get is not implemented yet');
  }

  import(_requests: Observable<MessageShape<typeof OrderBook.method.import.input>>): never {
    throw new StatusError(Code.UNIMPLEMENTED, 'Import is not implemented yet');
  }

  watch(_request: MessageShape<typeof OrderBook.method.watch.input>): never {
    throw new StatusError(Code.UNIMPLEMENTED, 'Watch is not implemented yet');
  }
}
`,
    );
  });

  it('is served by ApixModule, with every other service of the file', () => {
    expect(files['src/apix.module.ts']).toContain(
      'controllers: [RefundsController, OrderBookController, GreeterController]',
    );
    expect(files['src/apix.module.ts']).toContain(
      "import { OrderBookController } from './shop/order-book.controller.js';",
    );
  });

  it('is not changed by a second run, which has nothing to say', () => {
    const again = applied(generate, files);
    expect([again.files, again.said]).toEqual([files, '']);
  });

  const path = 'src/shop/order-book.controller.ts';

  it('keeps the controller that is there, and says which handlers it lacks', () => {
    const written = `import { OrderBook } from '../gen/shop/v1/orders_pb.js';
// watch() is to come
export class OrderBookController {
  get = async () => this.orders.import(1);
}
`;
    const again = applied(generate, { ...files, [path]: written });
    expect(again.files[path]).toBe(written);
    expect(again.said).toBe(
      `to do by hand:\n- ${path}: it was left as it is, and has no handler import, watch\n`,
    );
  });

  it('is not served by the controller of another file of the same name', () => {
    const v2 = PROTO.replace('shop.v1', 'shop.v2');
    const again = applied(service({ name: 'proto/shop/v2/orders.proto' }), {
      ...files,
      'proto/shop/v2/orders.proto': v2,
    });
    expect(again.files[path]).toBe(files[path]);
    expect(again.said).toContain(
      `- ${path}: it is there already and does not import '../gen/shop/v2/orders_pb.js'; write a controller of OrderBook by another name`,
    );
  });

  it('is left to be served by hand where the module has a controller of the same name', () => {
    const again = applied(service({ name: 'proto/admin/v1/orders.proto' }), {
      ...files,
      'proto/admin/v1/orders.proto': PROTO,
    });
    expect(again.files['src/admin/order-book.controller.ts']).toContain("'../gen/admin/v1/");
    expect(again.files['src/apix.module.ts']).toBe(files['src/apix.module.ts']);
    expect(again.said).toContain(
      "- OrderBookController of './admin/order-book.controller.js' belongs in the controllers of a module",
    );
  });

  it.each([
    './proto/shop/v1/orders.proto',
    '/proto/shop/v1/orders.proto',
    'proto\\shop\\v1\\orders.proto',
  ])('is found by %s', (name) => {
    expect(applied(service({ name }), app).files).toEqual(files);
  });

  it('is made in the app of a workspace', () => {
    const workspace = applied(nestAdd({ sourceRoot: 'apps/shop/src' }), WORKSPACE).files;
    const made = applied(
      service({ name: 'proto/shop/v1/orders.proto', sourceRoot: 'apps/shop/src' }),
      { ...workspace, 'proto/shop/v1/orders.proto': PROTO },
    );
    expect(made.files['apps/shop/src/shop/order-book.controller.ts']).toContain(
      "from '../gen/shop/v1/orders_pb';",
    );
    expect(made.files['apps/shop/src/apix.module.ts']).toContain('OrderBookController');
    expect(made.said).toBe('');
  });

  it.each([
    ['Get', 'get'],
    ['getOrder', 'getOrder'],
    ['Get_Order', 'get_Order'],
    ['URL', 'uRL'],
    ['Constructor', 'constructor$'],
    ['ToString', 'toString$'],
    ['ToJSON', 'toJSON$'],
    ['ValueOf', 'valueOf$'],
  ])('has a handler for %s by the name that protobuf-es gives', (rpc, handler) => {
    const file = create(FileDescriptorProtoSchema, {
      name: 'a.proto',
      syntax: 'proto3',
      messageType: [{ name: 'A' }],
      service: [{ name: 'S', method: [{ name: rpc, inputType: '.A', outputType: '.A' }] }],
    });
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }));
    expect(localName(rpc)).toBe(handler);
    expect(registry.getService('S')!.methods[0]!.localName).toBe(handler);
  });
});

it.each(['proto/gone.proto', 'README.md', 'proto', 'src/orders.proto', ''])(
  '%s is refused',
  (name) => {
    expect(() => applied(service({ name }), app)).toThrow(
      `start: ${name} is not a .proto file below proto/ that declares a service`,
    );
  },
);

describe('names that a controller cannot take over', () => {
  const made = (proto: string) =>
    applied(service({ name: 'proto/p/v1/a.proto' }), {
      ...app,
      'proto/p/v1/a.proto': `syntax = "proto3"; package p.v1;\nmessage A {}\n${proto}`,
    });

  it.each([
    ['Object', 'Object$ as ObjectService'],
    ['Promise', 'Promise as PromiseService'],
    ['Code', 'Code as CodeService'],
    ['Record', 'Record as RecordService'],
    ['default', 'default$ as defaultService'],
    ['Orders', 'Orders'],
  ])('are imported under another one: %s', (name, imported) => {
    const { files } = made(`service ${name} { rpc Get(A) returns (A); }`);
    expect(Object.values(files).join('\n')).toContain(
      `import { ${imported} } from '../gen/p/v1/a_pb.js';`,
    );
  });

  it('are those that protobuf-es changes because of messages', () => {
    const { files } = made(`message Foo { message Bar {} }
      message Order {}
      service Foo_Bar { rpc Get(A) returns (A); }
      service OrderSchema { rpc Get(A) returns (A); }`);
    expect(files['src/p/foo_bar.controller.ts']).toContain('{ Foo_Bar$ as Foo_BarService }');
    expect(files['src/p/order-schema.controller.ts']).toContain(
      '{ OrderSchema$ as OrderSchemaService }',
    );
  });

  it('are those of methods that Nest calls, or that every object has', () => {
    const { files } = made(`service Orders {
      rpc Then(A) returns (A);
      rpc ThenRpc(A) returns (A);
      rpc OnModuleInit(stream A) returns (A);
      rpc HasOwnProperty(A) returns (A);
    }`);
    const text = files['src/p/orders.controller.ts']!;
    expect(text).toContain("@GrpcMethod(Orders.typeName, 'Then')\n  thenRpcRpc(");
    expect(text).toContain('  thenRpc(_request: MessageShape<typeof Orders.method.thenRpc.input>)');
    expect(text).toContain(
      "@GrpcStreamMethod(Orders.typeName, 'OnModuleInit')\n  onModuleInitRpc(",
    );
    expect(text).toContain("@GrpcMethod(Orders.typeName, 'HasOwnProperty')\n  hasOwnPropertyRpc(");
    expect(text).toContain("import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';");
  });

  it('are reported, if two methods have the same', () => {
    const { files, said } = made('service S { rpc Get(A) returns (A); rpc get(A) returns (A); }');
    expect(files['src/p/s.controller.ts']!.match(/\bget\(/g)).toHaveLength(1);
    expect(said).toContain(
      'proto/p/v1/a.proto: S has another method of the same name as get but for the case of its first letter',
    );
  });

  it('are those of files, if two services have the same', () => {
    const { files } = made(
      'service Order { rpc Get(A) returns (A); } service ORDER { rpc Get(A) returns (A); }',
    );
    expect(files['src/p/order.controller.ts']).toContain('class OrderController');
    expect(files['src/p/order-2.controller.ts']).toContain('class ORDERController');
    expect(files['src/apix.module.ts']).toContain("from './p/order-2.controller.js'");
  });
});
