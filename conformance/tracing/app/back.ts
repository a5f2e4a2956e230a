import 'reflect-metadata';
import { GrpcModule, GrpcService } from '@apix/grpc';
import { runHost } from '@apix/hostx';
import { InjectLogger, type Logger } from '@apix/logx';
import { tracedProviders } from '@apix/otel';
import { Inject, Injectable, Module } from '@nestjs/common';
import { base } from './base.js';
import { Payments, type ReserveRequest } from './gen/shop/payments/v1/payments_pb.js';
import { HOST, sayReady, setting } from './settings.js';

@Injectable()
class Bank {
  constructor(@InjectLogger('bank') private readonly logger: Logger) {}

  approve(order: string): void {
    this.logger.information('Approved {Order}', order);
  }
}

@GrpcService(Payments)
class PaymentsController {
  constructor(@Inject(Bank) private readonly bank: Bank) {}

  reserve({ order }: ReserveRequest) {
    this.bank.approve(order);
    return { name: order.replace('orders', 'payments') };
  }
}

/** The second process, which is called by gRPC. */
@Module({
  imports: [
    ...base('back'),
    GrpcModule.forRoot({ host: HOST, port: Number(setting('BACK_PORT')) }),
  ],
  controllers: [PaymentsController],
  providers: [Bank],
})
class Back {}

void runHost(Back, {
  nest: { logger: false, instrument: tracedProviders({ classes: [Bank] }) },
  http: false,
  drain: { delay: 0 },
  extend: (builder) => void builder.onStarted(sayReady),
});
