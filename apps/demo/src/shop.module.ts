import { AuthzModule, decisionFields, Public } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { ProblemDetailsModule } from '@apix/calls/nest';
import { CronModule } from '@apix/cron';
import { postgresReplicas } from '@apix/cron/postgres';
import { GatewayModule, GatewayRef } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { ValidationModule } from '@apix/grpc/validation';
import { HostxModule } from '@apix/hostx';
import { SystemdModule } from '@apix/hostx-os';
import { McpModule } from '@apix/mcp';
import { MetricsModule, TracingModule } from '@apix/otel';
import { HealthModule } from '@apix/hostx/health';
import { HostPageModule } from '@apix/host-page';
import { LogxModule, addToRequest } from '@apix/logx';
import { ProtoModule } from '@apix/proto';
import { SwaggerUiModule } from '@apix/swagger-ui';
import { Module } from '@nestjs/common';
import { assetPath } from './assets.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import { callerSubject } from './identity/caller.js';
import { DemoIssuer } from './identity/demo-issuer.js';
import { HomeController } from './home/home.controller.js';
import { IdentityModule } from './identity/identity.module.js';
import { OfficeGuard } from './office/office.guard.js';
import { OfficeModule } from './office/office.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { bindAddress, grpcStack, setting, shopEnvironment } from './settings.js';
import { ShopPageController } from './shop-page/shop-page.controller.js';
import { StockModule } from './stock/stock.module.js';
import type { Database } from './store/database.js';
import { DATABASE, StoreModule } from './store/store.module.js';
import { SupportModule } from './support/support.module.js';
import { Welcome } from './welcome/welcome.js';

const port = (name: string, fallback: number): number => Number(setting(name) ?? fallback);
const serviceName = setting('OTEL_SERVICE_NAME') ?? 'shop';

/** Composition only: every line of it is a package, and none of it is a rule. */
@Module({
  imports: [
    LogxModule.forRoot({ configFile: setting('LOG_CONFIG') ?? assetPath('logging.yaml') }),
    ProtoModule.forRoot({ descriptors: assetPath('gen/shop.binpb') }),
    AuthzModule.forRootAsync({
      imports: [IdentityModule],
      inject: [DemoIssuer],
      useFactory: (issuer: DemoIssuer) => ({
        subject: callerSubject(issuer),
        unannotated: 'deny' as const,
        conditions: celConditions(),
        // Writes into the event of the request who called, and why a call was denied.
        onDecision: (decision, call) => addToRequest(decisionFields(decision), call),
      }),
    }),
    HostxModule.forRoot({
      environment: shopEnvironment(),
      bootTimeout: '2m',
      shutdownTimeout: '30s',
      stopTimeout: '20s',
      http: { host: bindAddress(), port: port('PORT', 3000) },
    }),
    GrpcModule.forRoot({
      host: bindAddress(),
      port: port('GRPC_PORT', 50_051),
      stack: grpcStack(),
      reflection: true,
    }),
    ValidationModule.forRoot(),
    ProblemDetailsModule,
    GatewayModule.forRoot({
      mount: '/',
      protocols: ['rest', 'connect', 'grpc-web', 'grpc'],
      openapi: { info: { title: 'Shop', version: '1' }, whoMayCall: true },
    }),
    McpModule.forRoot({
      path: '/mcp',
      name: 'shop',
      instructions:
        'Products and orders of a shop. Names are such as products/tea and orders/1001.',
      // The next request of a client may reach another process.
      sessions: false,
    }),
    SwaggerUiModule.forRootAsync({
      path: 'docs',
      inject: [GatewayRef],
      useFactory: (gateway: GatewayRef) => ({
        title: 'Shop',
        specs: [{ name: 'shop.json', document: () => gateway.openapi() }],
      }),
    }),
    HealthModule.forRoot({}),
    MetricsModule.forRoot({ serviceName }),
    TracingModule.forRoot({ serviceName, recent: {} }),
    CronModule.forRootAsync({
      imports: [StoreModule],
      inject: [DATABASE],
      useFactory: ({ pool }: Database) =>
        pool === null ? {} : { replicas: postgresReplicas({ pool }) },
    }),
    HostPageModule.forRoot({
      title: 'Shop',
      guard: OfficeGuard,
      runJob: OfficeGuard,
      restartService: OfficeGuard,
      changeLevel: OfficeGuard,
      imports: [OfficeModule],
      decorators: [Public()],
    }),
    SystemdModule.forRoot({}),
    IdentityModule,
    OfficeModule,
    StoreModule,
    CatalogModule,
    CheckoutModule,
    OrdersModule,
    OutboxModule,
    StockModule,
    SupportModule,
  ],
  controllers: [HomeController, ShopPageController],
  providers: [Welcome],
})
export class ShopModule {}
