import { AuthzModule, decisionFields } from '@apix/authz';
import { GrpcModule } from '@apix/grpc';
import { ValidationModule } from '@apix/grpc/validation';
import { HostxModule } from '@apix/hostx';
import { SingleInstanceModule } from '@apix/hostx-os';
import { LogxModule, addToRequest } from '@apix/logx';
import { ProtoModule } from '@apix/proto';
import { Module } from '@nestjs/common';
import { join } from 'node:path';
import { assetPath, dataFolder } from '../assets.js';
import { tokenSubject } from '../identity/token-subject.js';
import { setting, shopEnvironment } from '../settings.js';
import { Bank } from './bank.js';
import { PaymentStoreModule } from './payment-store.module.js';
import { PaymentsController } from './payments.controller.js';
import { ShopLink } from './shop-link.js';

/** Composition only, as in the shop. Only this machine reaches it, by gRPC alone. */
@Module({
  imports: [
    LogxModule.forRoot({
      configFile: setting('PAYMENTS_LOG_CONFIG') ?? assetPath('payments-logging.yaml'),
    }),
    ProtoModule.forRoot({ descriptors: assetPath('gen/payments.binpb') }),
    AuthzModule.forRootAsync({
      useFactory: () => ({
        subject: tokenSubject(setting('ISSUER_KEY')),
        unannotated: 'deny' as const,
        onDecision: (decision, call) => addToRequest(decisionFields(decision), call),
      }),
    }),
    // Its one client waits for its own calls, so that there is no client to send elsewhere.
    HostxModule.forRoot({
      environment: shopEnvironment(),
      shutdownTimeout: '10s',
      http: false,
      drain: { delay: 0 },
    }),
    GrpcModule.forRoot({
      host: '127.0.0.1',
      port: Number(setting('PAYMENTS_PORT') ?? 50_052),
      reflection: true,
    }),
    ValidationModule.forRoot(),
    SingleInstanceModule.forRoot({ path: join(dataFolder(), 'payments.lock') }),
    PaymentStoreModule,
  ],
  controllers: [PaymentsController],
  providers: [Bank, ShopLink],
})
export class PaymentsModule {}
