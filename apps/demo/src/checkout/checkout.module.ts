import { GrpcClientModule } from '@apix/grpc-client';
import { Module } from '@nestjs/common';
import { Payments } from '../gen/shop/payments/v1/payments_pb.js';
import { DemoIssuer } from '../identity/demo-issuer.js';
import { IdentityModule } from '../identity/identity.module.js';
import { Cashier } from './cashier.js';
import { PaymentsCrashController } from './payments-crash.controller.js';
import { paymentsClient } from './payments-client.js';
import { PaymentsPortModule } from './payments-port.module.js';
import { PAYMENTS_PORT } from './payments-port.js';
import { PaymentsProcess } from './payments-process.js';

/** The shop's side of payments: their process, the client of it, and who uses it. */
@Module({
  imports: [
    IdentityModule,
    PaymentsPortModule,
    GrpcClientModule.forFeatureAsync(Payments, {
      imports: [IdentityModule, PaymentsPortModule],
      inject: [PAYMENTS_PORT, DemoIssuer],
      useFactory: paymentsClient,
    }),
  ],
  controllers: [PaymentsCrashController],
  providers: [PaymentsProcess, Cashier],
  exports: [Cashier, PaymentsPortModule],
})
export class CheckoutModule {}
