import { HostedService } from '@apix/hostx';
import { InjectLogger, type Logger } from '@apix/logx';
import { Inject } from '@nestjs/common';
import { OrderState } from '../gen/shop/v1/order_pb.js';
import { OrderFeed } from '../orders/order-feed.js';

/**
 * Notifies customers about their orders. It can be made to crash, to show how
 * the host starts it again.
 */
@HostedService({ name: 'outbox', restart: { initialDelay: '1s', maxDelay: '30s' } })
export class Outbox {
  #crash: (error: Error) => void = () => {};

  constructor(
    @Inject(OrderFeed) private readonly feed: OrderFeed,
    @InjectLogger('Outbox') private readonly logger: Logger,
  ) {}

  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const letters = this.feed.events.subscribe(({ order }) => {
        const state = OrderState[order?.state ?? OrderState.UNSPECIFIED].toLowerCase();
        this.logger.information(
          'Told {Customer} that {Order} is {State}',
          order?.customer,
          order?.name,
          state,
        );
      });
      const end = (finish: () => void): void => {
        letters.unsubscribe();
        finish();
      };
      this.#crash = (error) => end(() => reject(error));
      signal.addEventListener('abort', () => end(resolve), { once: true });
    });
  }

  crash(): void {
    this.#crash(new Error('the mail server hung up'));
  }
}
