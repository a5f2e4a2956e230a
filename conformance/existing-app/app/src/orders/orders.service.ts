import { Injectable, NotFoundException } from '@nestjs/common';
import type { Order } from './order.js';
import { OutOfStock } from './out-of-stock.js';
import type { PlaceOrder } from './place-order.dto.js';

@Injectable()
export class OrdersService {
  get(id: string): Order {
    if (id === 'o-0') throw new NotFoundException(`no order ${id}`);
    return { id, itemName: 'tea', cents: 350, cancelled: false };
  }

  list(count: number): Order[] {
    return Array.from({ length: count }, (_, index) => this.get(`o-${index + 1}`));
  }

  place({ itemName, cents }: PlaceOrder): Order {
    if (itemName === 'moon') throw new OutOfStock(itemName);
    return { id: 'o-9', itemName, cents, cancelled: false };
  }
}
