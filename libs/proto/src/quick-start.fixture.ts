import { Injectable, Module } from '@nestjs/common';
import { JsonCodec, ProtoModule, ProtoRegistry } from '@apix/proto';

@Injectable()
export class Tour {
  constructor(private readonly protos: ProtoRegistry) {}

  run(): void {
    const cancel = this.protos.method('/shop.v1.Orders/Cancel')!;
    console.log(this.protos.comments(cancel));

    const json = new JsonCodec(this.protos.registry);
    const money = this.protos.registry.getMessage('shop.v1.Money')!;
    console.log(json.decode(money, '{"units": 9007199254740993}'));
    json.decode(cancel.input, '{"name": "orders/1", "reason": 7}');
  }
}

@Module({
  imports: [ProtoModule.forRoot({ descriptors: 'apps/demo/gen/shop.binpb' })],
  providers: [Tour],
})
export class AppModule {}
