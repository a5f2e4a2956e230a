import { Requires } from '@apix/authz';
import { Controller, Get } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { OrderState } from '../gen/shop/v1/order_pb.js';
import { OrderStore } from './order-store.js';

/** A hand-written HTTP endpoint, guarded like the RPCs. */
@ApiTags('Reports')
@ApiBearerAuth()
@Controller('reports')
export class SalesController {
  constructor(private readonly orders: OrderStore) {}

  /** How many orders there are, by state. */
  @ApiOperation({ summary: 'How many orders there are, by state.' })
  @ApiOkResponse({
    schema: {
      type: 'object',
      additionalProperties: { type: 'string' },
      example: { placed: '12', shipped: '3', cancelled: '1', refunded: '0' },
    },
  })
  @Get('sales')
  @Requires({ roles: { anyOf: ['admin'] } })
  async sales(): Promise<Record<string, string>> {
    const states = [
      OrderState.PLACED,
      OrderState.SHIPPED,
      OrderState.CANCELLED,
      OrderState.REFUNDED,
    ];
    const counts = await Promise.all(
      states.map(async (state) => {
        const filter = { customer: '', states: [state], createdSince: undefined };
        const { total } = await this.orders.list(filter, 0, 0);
        return [OrderState[state].toLowerCase(), String(total)] as const;
      }),
    );
    return Object.fromEntries(counts);
  }
}
