import { Every } from '@apix/cron';
import { InjectLogger, type Logger } from '@apix/logx';
import { Inject, Injectable } from '@nestjs/common';
import { ProductStore } from '../catalog/product-store.js';

/** Fewer pieces than that are few. */
const FEW = 10;

/** Says which products are about to run out. */
@Injectable()
export class StockCheck {
  constructor(
    @Inject(ProductStore) private readonly products: ProductStore,
    @InjectLogger('StockCheck') private readonly logger: Logger,
  ) {}

  @Every('stock-check', '1m', { runImmediately: true, runTimeout: '10s' })
  async check(): Promise<void> {
    for (const { name, pieces } of await this.products.fewerThan(FEW)) {
      this.logger.warning('Only {Pieces} pieces of {Product} are left', pieces, name);
    }
  }
}
