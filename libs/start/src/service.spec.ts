import { describe, expect, it } from '@jest/globals';
import { NEW_APP, applied } from './apps.fixture.js';
import { nestAdd } from './nest-add.js';
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

  it('keeps the controller that is there', () => {
    const path = 'src/shop/order-book.controller.ts';
    const again = applied(generate, { ...files, [path]: 'export class OrderBookController {}' });
    expect(again.files[path]).toBe('export class OrderBookController {}');
    expect(again.said).toContain(`- ${path}: it is there already and was left as it is`);
  });
});

it.each(['proto/gone.proto', 'README.md'])('%s is refused', (name) => {
  expect(() => applied(service({ name }), app)).toThrow(
    `start: ${name} is not a .proto file below proto/ that declares a service`,
  );
});
