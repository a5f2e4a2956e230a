import { MessageBody, SubscribeMessage, WebSocketGateway, WsException } from '@nestjs/websockets';
import { Staff } from '../guards/staff.decorator.js';
import { Supplier } from '../store/supplier.js';

@WebSocketGateway()
export class ChatGateway {
  constructor(private readonly supplier: Supplier) {}

  @SubscribeMessage('say')
  say(@MessageBody() text: string): object {
    return { event: 'said', data: text };
  }

  @SubscribeMessage('count')
  count(@MessageBody() text: string): number {
    return text.length;
  }

  @SubscribeMessage('refuse')
  refuse(): never {
    throw new WsException('not so loud');
  }

  @SubscribeMessage('broken')
  broken(): never {
    throw new Error('a secret of the house');
  }

  @SubscribeMessage('kick')
  @Staff()
  kick(): string {
    return 'kicked';
  }

  @SubscribeMessage('slow')
  slow(): Promise<string> {
    return this.supplier.order('websocket');
  }
}
