import { type Client, InjectClient } from '@apix/grpc-client';
import { InjectLogger, type Logger } from '@apix/logx';
import { InjectQueue } from '@nestjs/bullmq';
import { Inject, Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Payments } from './gen/shop/payments/v1/payments_pb.js';
import { OrderStore } from './order-store.js';

@Injectable()
export class OrderDesk {
  constructor(
    @Inject(OrderStore) private readonly store: OrderStore,
    @InjectClient(Payments) private readonly payments: Client<typeof Payments>,
    @InjectQueue('mail') private readonly mail: Queue,
    @InjectLogger('desk') private readonly logger: Logger,
  ) {}

  async place(name: string, customer: string): Promise<void> {
    await this.store.insert(name, customer);
    const amount = { currency: 'EUR', units: 3n };
    await this.payments.reserve({ order: name, customer, amount });
    await this.mail.add('confirm', { name });
    this.logger.information('Placed {Order}', name);
  }
}
