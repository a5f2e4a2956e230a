import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { ScheduleModule } from '@nestjs/schedule';
import { ChatModule } from './chat/chat.module.js';
import { ApiKeyGuard } from './guards/api-key.guard.js';
import { HealthModule } from './health/health.module.js';
import { MailModule } from './mail/mail.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { OutOfStockFilter } from './orders/out-of-stock.filter.js';
import { ReportsModule } from './reports/reports.module.js';
import { settings } from './settings.js';
import { StoreModule } from './store/store.module.js';

@Module({
  imports: [
    StoreModule,
    ScheduleModule.forRoot(),
    BullModule.forRoot({ connection: settings.redis }),
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      subscriptions: { 'graphql-ws': true },
    }),
    OrdersModule,
    ChatModule,
    MailModule,
    ReportsModule,
    HealthModule,
  ],
  providers: [
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_FILTER, useClass: OutOfStockFilter },
  ],
})
export class AppModule {}
