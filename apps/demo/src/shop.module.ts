import { AuthzModule } from '@apix/authz';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { ValidationModule } from '@apix/grpc/validation';
import { HostxModule } from '@apix/hostx';
import { LOGX_LOGGER, type Logger, LogxModule } from '@apix/logx';
import { ProtoModule } from '@apix/proto';
import { Module } from '@nestjs/common';
import { fileURLToPath } from 'node:url';
import { CatalogModule } from './catalog/catalog.module.js';
import { DemoIssuer } from './identity/demo-issuer.js';
import { IdentityModule } from './identity/identity.module.js';
import { logOptions, logSubject } from './log-options.js';
import { OrdersModule } from './orders/orders.module.js';
import { StoreModule } from './store/store.module.js';
import { SupportModule } from './support/support.module.js';
import { Welcome } from './welcome/welcome.js';

/** Built from proto/shop by `npm run generate`; found from the sources and from dist alike. */
const DESCRIPTORS = fileURLToPath(new URL(descriptorPath(import.meta.url), import.meta.url));

const port = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

/** Composition only: every line of it is a package, and none of it is a rule. */
@Module({
  imports: [
    LogxModule.forRootAsync({ useFactory: logOptions }),
    ProtoModule.forRoot({ descriptors: DESCRIPTORS }),
    AuthzModule.forRootAsync({
      imports: [IdentityModule],
      inject: [DemoIssuer],
      useFactory: ({ subject }: DemoIssuer) => ({
        subject,
        unannotated: 'deny' as const,
        onDecision: logSubject,
      }),
    }),
    HostxModule.forRootAsync({
      inject: [LOGX_LOGGER],
      useFactory: (logger: Logger) => ({
        shutdownTimeout: '30s',
        http: { port: port('PORT', 3000) },
        logger: logger.forContext('logger', 'Host'),
      }),
    }),
    GrpcModule.forRoot({ port: port('GRPC_PORT', 50_051), reflection: true }),
    ValidationModule.forRoot(),
    GatewayModule.forRoot({ mount: '/' }),
    IdentityModule,
    StoreModule,
    CatalogModule,
    OrdersModule,
    SupportModule,
  ],
  providers: [Welcome],
})
export class ShopModule {}

/** `nest start` compiles into dist/, three folders farther from the descriptors. */
function descriptorPath(here: string): string {
  return here.includes('/dist/') ? '../../../../apps/demo/gen/shop.binpb' : '../gen/shop.binpb';
}
